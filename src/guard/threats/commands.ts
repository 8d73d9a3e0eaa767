/** Commands and markup that attack: read in the `command` view (lines kept) or raw. */
import { expression, madeOnce } from '../expression.ts'
import { lazyPattern, type ThreatPattern } from './pattern.ts'

function command(
  id: string,
  needs: ThreatPattern['needs'],
  pattern: string,
  options: Partial<ThreatPattern> = {},
): ThreatPattern {
  return lazyPattern({ id, view: 'command', needs, ...options }, expression(pattern, 'gi'))
}

const secretFiles = [
  '.env',
  '.ssh',
  'id_',
  '.aws',
  '/etc/',
  '.git-credentials',
  '.netrc',
  '.pgpass',
  '.gnupg',
  '.kube',
  '.docker',
  'gcloud',
  '.vault-token',
  '.npmrc',
  '.pypirc',
  'credentials',
  'secrets.',
  '_history',
  'master.key',
]
const networks = ['curl', 'wget', 'nc', 'netcat', 'telnet', 'socat', 'http', 'webrequest', 'iwr', 'restmethod', 'irm']
const profiles =
  '.bashrc .zshrc .kshrc .profile .bash_ .zprofile .zshenv .zlogin config.fish /etc/profile $profile'.split(' ')

const W = '(?<![\\w./-])'
/** A variable whose name ends in a word for a secret; keys that are no secrets (cache key, object key) are left out. */
const SECRET_VARIABLE =
  '(?:\\$\\{?|\\$env:|%)(?:\\w{0,40}?(?:token|secret|password|passwd|passphrase|credentials?|api_?key|access_?key(?:_id)?|secret_?key|private_?key|auth_?key|ssh_?key|signing_?key)|key)s?(?:_(?:prod|live|test|dev|main))?(?![\\w])'
/** Files that hold nothing but secrets. */
const KEY_FILE =
  '(?:\\.ssh/(?:id_\\w{2,12}|\\w{0,20}key)(?!\\w|\\.pub)|(?<!\\w)id_(?:rsa|ed25519|ecdsa|dsa)(?!\\w|\\.pub)|\\.aws/credentials|/etc/(?:shadow|gshadow|sudoers)(?!\\w)|\\.git-credentials|\\.netrc|\\.pgpass|\\.gnupg/|\\.kube/config|\\.docker/config\\.json|\\.config/gcloud/\\w|\\.vault-token)'
const SECRET_FILE = `(?:${KEY_FILE}|(?<![\\w])\\.env(?!\\w|-|\\.(?:example|sample|template|dist|defaults?|schema|test|d\\.ts|md))|\\.npmrc|\\.pypirc|(?<![\\w-])credentials(?:\\.(?:json|csv|ya?ml|ini|db|xml))?(?![\\w./-])|(?<![\\w-])secrets\\.(?:json|ya?ml|toml|env)|/etc/passwd(?!\\w)|\\.(?:bash|zsh)_history|master\\.key(?!\\w))`
const PATH = '["\']?[\\w~$./{}\\\\:-]{0,80}?'
const NETWORK = '(?:curl|wget|ncat|netcat|nc|telnet|socat|https?ie|invoke-webrequest|iwr|invoke-restmethod|irm)'
const SEND =
  '(?:-d|--data(?:-binary|-raw|-urlencode|-ascii)?|-F|--form|-T|--upload-file|--post-file|--body-file|-InFile)'
const PAYLOAD =
  '(?:curl\\s|wget\\s|\\bnc\\s+-|/dev/tcp/|base64\\s+(?:-d|--decode|-D)|eval[\\s(]|python\\d?\\s+-c|perl\\s+-e|bash\\s+-i|LD_PRELOAD|PROMPT_COMMAND|alias\\s+(?:sudo|ssh|su|git|cd|ls|cat)\\s?=|nohup\\s|(?:source|\\.)\\s+/tmp/)'
const RC_FILE =
  '\\.(?:bashrc|zshrc|profile|bash_profile|bash_login|zprofile|zshenv|zlogin|kshrc)\\b|config\\.fish\\b|/etc/profile(?:\\.d)?\\b|\\$PROFILE\\b'

/** Authorization for the service that is called: sending a key there is what it is for. */
const authorization =
  /(?:-H|--header)[ =]?(["'])(?:(?:proxy-)?authorization|[\w-]{0,30}(?:key|token|auth|secret)[\w-]{0,10})\s?:[^"'\n]{0,200}\1|(?:-H|--header)[ =]?(?:(?:proxy-)?authorization|[\w-]{0,30}(?:key|token)):\S{1,200}|(?:-u|--user|--oauth2-bearer)[ =]?(["']?)[^\s"']{1,200}\2/gi
const secretVariable = madeOnce(expression(SECRET_VARIABLE, 'i'))

function sendsSecret({ found }: { found: string }): boolean {
  return secretVariable().test(found.replace(authorization, ' '))
}

/** The verb, a key and the target in one sentence: "add my key to ~/.ssh/authorized_keys". */
function plantsKey({ found }: { found: string }): boolean {
  return (
    /(?:key|ssh-(?:rsa|ed25519|dss)|ecdsa-).{0,400}(?:to|into|in|>>?)\s.{0,60}authorized_keys$/i.test(found) &&
    !/[.!?]\s/.test(found)
  )
}

export const commandPatterns: readonly ThreatPattern[] = [
  command('exfil-curl', [['curl']], `${W}curl(?:\\.exe)?\\s[^\\n]{0,600}`, { accept: sendsSecret }),
  command(
    'exfil-curl',
    [['curl'], secretFiles],
    `${W}curl(?:\\.exe)?\\s(?:[^\\n]{0,400}?\\s)?${SEND}[ =]?["']?(?:[\\w-]{1,30}=)?[@<]?${PATH}${SECRET_FILE}`,
  ),
  command(
    'exfil-wget',
    [['wget', 'webrequest', 'iwr', 'restmethod', 'irm', 'http']],
    `${W}(?:wget|invoke-webrequest|iwr|invoke-restmethod|irm|https?ie)(?:\\.exe)?\\s[^\\n]{0,600}`,
    { accept: sendsSecret },
  ),
  command(
    'exfil-wget',
    [['wget'], secretFiles],
    `${W}wget(?:\\.exe)?\\s(?:[^\\n]{0,400}?\\s)?--(?:post|body)-file[ =]${PATH}${SECRET_FILE}`,
  ),
  command(
    'exfil-pipe',
    [['|'], networks],
    `(?:${SECRET_FILE}[^\\n|]{0,120}|${W}(?:env|printenv|history)\\s?)\\|[^\\n]{0,200}?${W}${NETWORK}\\s`,
  ),
  command(
    'exfil-pipe',
    [networks, ['$(', '`']],
    `${W}${NETWORK}\\s[^\\n]{0,400}?(?:\\$\\(|\`)\\s?(?:env|printenv|history|whoami;)\\b`,
  ),
  command(
    'exfil-pipe',
    [['<'], ['nc', 'ncat', 'netcat', 'telnet', 'socat'], secretFiles],
    `${W}(?:nc|ncat|netcat|telnet|socat)\\s[^\\n]{0,160}?<\\s?${PATH}${SECRET_FILE}`,
  ),
  command(
    'exfil-pipe',
    [['scp', 'rsync', 'rclone', 's3 cp', 'gsutil'], secretFiles],
    `${W}(?:scp|rsync|rclone|aws s3 cp|gsutil cp)\\s[^\\n]{0,160}?${KEY_FILE}[^\\n]{0,160}?(?:@[\\w.-]{1,60}:|s3://|gs://)`,
  ),
  command(
    'read-secrets',
    [secretFiles],
    `${W}(?:cat|bat|strings|xxd|hexdump|od|base64|head|tail|nl|tac|get-content|gc)\\s+(?:-{1,2}[\\w=-]{1,20}\\s+(?:\\d{1,6}\\s+)?){0,4}${PATH}${SECRET_FILE}`,
  ),
  command(
    'read-secrets',
    [secretFiles],
    `${W}(?:less|more|type|vi|vim|nano|cp|open|source)\\s+["']?[~/$][\\w~$./{}-]{0,80}?${KEY_FILE}`,
  ),
  command(
    'read-secrets',
    [['('], secretFiles],
    `(?:open|readfile(?:sync)?|read_text|readtextfile|slurp|file_get_contents|get-content)\\s?\\(\\s?(?:[\\w.]{1,40}\\()?["'\`][\\w~$./{}-]{0,80}?${KEY_FILE}`,
  ),
  command(
    'read-secrets',
    [['.ssh/', 'etc/shadow']],
    `${W}(?:read|open|show|dump)\\s+(?:me\\s+)?(?:the\\s+)?(?:file\\s+|contents?\\s+of\\s+)?["'\`]?(?:~|/root|/home/\\w{1,32}|\\$HOME)?/?(?:\\.ssh/id_\\w{2,12}|etc/shadow)(?!\\.pub)`,
  ),
  command('ssh-backdoor', [['authorized_keys']], `(?:>>?|${W}tee(?:\\s+-a)?)\\s{0,4}${PATH}authorized_keys`),
  command(
    'ssh-backdoor',
    [['authorized_keys']],
    `${W}(?:add|append|put|write|insert|install|copy|place|echo|paste)\\s[^\\n]{0,500}?authorized_keys`,
    { accept: plantsKey },
  ),
  command(
    'ssh-backdoor',
    [['permitrootlogin', 'permitemptypasswords']],
    `${W}(?:PermitRootLogin\\s+yes|PermitEmptyPasswords\\s+yes)[^\\n]{0,160}?(?:>>|sshd_config)|${W}echo\\s[^\\n]{0,80}PermitRootLogin\\s+yes`,
  ),
  command(
    'shell-rc-backdoor',
    [profiles],
    `${PAYLOAD}[^\\n]{0,400}?(?:>>?|\\btee(?:\\s+-a)?|\\b(?:to|into|in))\\s{0,4}["'\`]?[\\w~$./{}-]{0,60}?(?:${RC_FILE})`,
  ),
  command(
    'shell-rc-backdoor',
    [profiles],
    `${W}(?:add|append|put|write|insert|place)\\s[^\\n]{0,160}?(?:${RC_FILE})[^\\n]{0,20}(?:\\n[^\\n]{0,4}){0,2}[^\\n]{0,80}?${PAYLOAD}`,
  ),
  command(
    'cron-backdoor',
    [['cron', 'systemctl']],
    `(?:crontab\\b|/etc/cron(?:tab|\\.\\w{1,10})|systemctl\\s+enable)[^\\n]{0,200}?(?:\\|\\s?(?:ba|z|da)?sh\\b|/dev/tcp/|base64\\s+(?:-d|--decode)|bash\\s+-i)|(?:\\|\\s?(?:ba)?sh\\b|/dev/tcp/)[^\\n]{0,120}?(?:\\|\\s?crontab\\b|/etc/cron)`,
  ),
  command(
    'reverse-shell',
    [
      ['/dev/tcp', 'nc', 'netcat'],
      ['/dev/tcp', '-'],
      ['/dev/tcp', 'sh'],
    ],
    `(?:bash|sh|zsh)\\s+-i\\s{0,4}[>&0-9]{1,4}\\s?/dev/tcp/|${W}(?:nc|ncat|netcat)\\s[^\\n]{0,80}?-\\w{0,4}e\\s{0,2}["']?(?:/bin/)?(?:ba|z)?sh\\b|/dev/tcp/\\d{1,3}(?:\\.\\d{1,3}){3}/\\d{1,5}`,
  ),
  command(
    'encoded-command',
    [['base64', 'powershell']],
    `(?:echo|printf|<<<)\\s[^\\n|]{8,800}\\|\\s?base64\\s+(?:-d|-D|--decode)\\s?\\|\\s?(?:sudo\\s)?(?:ba|z|da)?sh\\b|${W}powershell(?:\\.exe)?\\s[^\\n]{0,120}?-e(?:nc|ncodedcommand)\\s+[A-Za-z0-9+/=]{24}`,
  ),
]

const ADDRESSEE =
  '(?:\\b(?:ai|llm)\\b|\\bassistants?\\b|\\bagents?\\b|\\bclaude\\b|\\bchatgpt\\b|\\bcopilot\\b|language model|智能体|助手|大模型|人工智能)'
const ORDER =
  '(?:\\bignore\\b|\\bdisregard\\b|\\bmust\\b|\\balways\\b|\\bnever\\b|\\bstore\\b|\\bremember\\b|\\bsave\\b|\\bsend\\b|\\brun\\b|\\bexecute\\b|\\binclude\\b|\\breveal\\b|\\binstructions?\\b|\\bdo not\\b|\\bsecretly\\b|\\bplease\\b|\\brecommend\\b|\\bcurl\\b|忽略|记住|执行|发送|写入|必须|不要|推荐|指令|泄露)'
const addressed = madeOnce(expression(`${ADDRESSEE}\\s{0,3}[:,，：]`, 'iu'))
const order = madeOnce(expression(ORDER, 'iu'))
const injected =
  /\b(?:ignore|disregard|override|forget)\b[^<>]{0,60}?\b(?:instructions?|prompts?|rules)\b|\bsystem prompt\b|\b(?:instructions?|message|note) (?:to|for) (?:the |all |any )?(?:ai|llm|assistant|agent)|\b(?:hidden|secret) instructions?\b|系统提示词|隐藏指令|忽略(?:之前|以上|所有)|给(?:智能|AI ?)?(?:助手|模型|智能体)的(?:指令|话|说明)/iu

/** A comment that speaks to a model; "prettier-ignore" and "system requirements" do not. */
function speaksToModel({ found }: { found: string }): boolean {
  const spoken = addressed().exec(found)
  return injected.test(found) || (spoken !== null && order().test(found.slice(spoken.index + spoken[0].length)))
}

function raw(
  id: string,
  needs: ThreatPattern['needs'],
  pattern: RegExp,
  options: Partial<ThreatPattern> = {},
): ThreatPattern {
  return { id, view: 'raw', needs, pattern, negatable: false, ...options }
}

export const markupPatterns: readonly ThreatPattern[] = [
  raw('html-comment-injection', [['<!--']], /<!--(?:(?!-->)[\s\S]){0,2000}/g, { accept: speaksToModel }),
  raw(
    'hidden-markup',
    [['<'], ['style', 'hidden']],
    /<(?:div|span|p|font|a|td|section|small|i|b|em)\b[^<>]{0,300}?(?:display\s?:\s?none|visibility\s?:\s?hidden|font-size\s?:\s?0(?:px|pt|em|%)?\s?[;"']|opacity\s?:\s?0(?:\.0+)?\s?[;"']|(?<![-\w])color\s?:\s?(?:white|transparent|#fff(?:fff)?)\b|\shidden(?=[\s>=])|left\s?:\s?-\d{3,5}px)[^<>]{0,300}>\s{0,20}[^<>\s{][^<>]{5,}/giu,
    {
      accept: ({ found }) =>
        /[\p{L}]{2,}(?:\s+[\p{L}']+){2,}|\p{Script=Han}{6,}/u.test(found.slice(found.indexOf('>') + 1)),
    },
  ),
  raw(
    'hidden-markup',
    [['javascript:', 'data:', 'vbscript:']],
    /\[[^\]\n]{0,80}\]\((?:javascript|data|vbscript):[^)\n]{1,400}\)/gi,
  ),
  raw(
    'hidden-markup',
    [['![']],
    /!\[[^\]\n]{0,200}\]\(https?:\/\/[^)\s]{1,300}[?&][\w-]{1,30}=(?:\{[^}\n]{1,80}\}|\$\{?\w{1,40}|<[^>\n]{1,60}>|\[[^\]\n]{1,60}\])[^)\n]{0,200}\)/gi,
  ),
  raw(
    'chat-markup',
    [['<|', '<<', '[inst]', '[/inst]']],
    /<\|(?:im_start|im_end|system|user|assistant|endoftext|start_header_id|end_header_id|eot_id|begin_of_text)\|?>|<<\/?SYS>>|\[\/?INST\]/gi,
    { accept: ({ before, after }) => !(/`$/.test(before) && /^`/.test(after)) },
  ),
]
