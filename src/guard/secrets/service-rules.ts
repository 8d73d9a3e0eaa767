/**
 * Keys and tokens that a service marks by their form. One line per kind: name, literal pieces for the cheap first
 * look (lower case), pattern. The pattern matches the secret alone; `L` and `R` keep it from starting or ending
 * inside a longer word.
 */
import { expression } from '../expression.ts'
import { patternRule, type SecretMatch, type SecretRule } from './rule.ts'

type Row = readonly [
  kind: string,
  needs: readonly string[],
  pattern: string,
  accept?: (match: SecretMatch) => boolean,
  /** A second first look, where the pieces are in most texts. */
  quick?: RegExp,
]

const L = '(?<![A-Za-z0-9_])'
const R = '(?![A-Za-z0-9])'

const clouds: readonly Row[] = [
  ['aws-access-key', ['akia', 'asia', 'abia', 'acca'], `${L}(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}${R}`],
  ['google-api-key', ['aiza'], `${L}AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])`],
  ['google-oauth-token', ['ya29.', 'gocspx-'], `${L}(?:ya29\\.[A-Za-z0-9_-]{20,2048}|GOCSPX-[A-Za-z0-9_-]{20,40})`],
  ['azure-storage-key', ['accountkey='], `(?<=AccountKey=)[A-Za-z0-9+/]{40,100}={0,2}`],
  ['azure-client-secret', ['q~'], `${L}[A-Za-z0-9_~.-]{3}\\dQ~[A-Za-z0-9_~.-]{31,34}${R}`],
  ['azure-shared-access', ['sig='], `(?<=[?&;]sig=)[A-Za-z0-9%+/_-]{40,120}(?:%3D|=)?`],
  ['alibaba-access-key', ['ltai'], `${L}LTAI[A-Za-z0-9]{12,26}${R}`, hasDigit],
  ['tencent-secret-id', ['akid'], `${L}AKID[A-Za-z0-9]{32}${R}`],
  ['digitalocean-token', ['_v1_'], `${L}do[opr]_v1_[a-f0-9]{64}${R}`],
  ['vault-token', ['hvs.', 'hvb.', 'hvr.'], `${L}hv[sbr]\\.[A-Za-z0-9_-]{24,300}`],
  ['terraform-token', ['.atlasv1.'], `${L}[A-Za-z0-9]{14}\\.atlasv1\\.[A-Za-z0-9_=-]{60,80}`],
  ['pulumi-token', ['pul-'], `${L}pul-[a-f0-9]{40}${R}`],
  ['databricks-token', ['dapi'], `${L}dapi[a-f0-9]{32}(?:-\\d)?${R}`],
  ['planetscale-token', ['pscale_'], `${L}pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.-]{32,64}`],
  ['supabase-key', ['sbp_', 'sb_secret_'], `${L}(?:sbp_[a-f0-9]{40}|sb_secret_[A-Za-z0-9_-]{20,60})${R}`],
  ['netlify-token', ['nfp_'], `${L}nfp_[A-Za-z0-9]{36,40}${R}`],
  ['heroku-key', ['hrku-'], `${L}HRKU-[A-Za-z0-9_-]{36,70}`],
  ['doppler-token', ['dp.'], `${L}dp\\.(?:pt|st|ct|sa|scim|audit)\\.[A-Za-z0-9._-]{40,64}`],
  ['tailscale-key', ['tskey-'], `${L}tskey-(?:auth|api|client|scim|webhook)-[A-Za-z0-9-]{16,80}`],
  ['age-secret-key', ['age-secret-key-1'], `${L}AGE-SECRET-KEY-1[A-Z0-9]{58}${R}`],
]

const codeHosts: readonly Row[] = [
  ['github-token', ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], `${L}gh[pousr]_[A-Za-z0-9]{30,255}${R}`],
  ['github-token', ['github_pat_'], `${L}github_pat_[A-Za-z0-9_]{22,255}`],
  [
    'gitlab-token',
    'glpat- gldt- glrt- glrtr- glcbt- glptt- glft- glimt- glagent- glsoat- gloas- glffct-'.split(' '),
    `${L}gl(?:pat|dt|rt|rtr|cbt|ptt|ft|imt|agent|soat|oas|ffct)-[A-Za-z0-9_.-]{20,300}`,
    hasDigit,
  ],
  ['bitbucket-token', ['atbb', 'atctt3'], `${L}(?:ATBB[A-Za-z0-9]{24,40}|ATCTT3[A-Za-z0-9_=-]{50,250})`],
  ['atlassian-token', ['atatt3'], `${L}ATATT3[A-Za-z0-9_=-]{50,250}`],
  ['npm-token', ['npm_'], `${L}npm_[A-Za-z0-9]{30,60}${R}`],
  ['pypi-token', ['pypi-'], `${L}pypi-[A-Za-z0-9_-]{50,300}`],
  ['rubygems-key', ['rubygems_'], `${L}rubygems_[a-f0-9]{48}${R}`],
  ['docker-token', ['dckr_'], `${L}dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,60}`],
  ['crates-token', ['cio'], `${L}cio[A-Za-z0-9]{32}${R}`, hasDigit],
  ['nuget-key', ['oy2'], `${L}oy2[a-z0-9]{43}${R}`],
]

const messaging: readonly Row[] = [
  [
    'slack-token',
    ['xox', 'xapp-'],
    `${L}(?:xox[abeoprs](?:\\.xox[bp])?-[A-Za-z0-9-]{10,300}|xapp-\\d-[A-Za-z0-9-]{20,200})`,
    hasDigit,
  ],
  [
    'slack-webhook',
    ['hooks.slack.com/'],
    `(?<=hooks\\.slack\\.com/(?:services|workflows|triggers)/)[A-Za-z0-9/+_-]{20,120}`,
  ],
  ['discord-webhook', ['/api/webhooks/'], `(?<=discord(?:app)?\\.com/api/webhooks/)\\d{17,20}/[A-Za-z0-9_-]{50,90}`],
  [
    'discord-token',
    ['.'],
    `${L}[MNO][A-Za-z0-9_-]{23,27}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,40}(?![A-Za-z0-9_.-])`,
    hasDigit,
    /\.[A-Za-z0-9_-]{6}\./,
  ],
  ['telegram-token', [':aa'], `${L}\\d{8,10}:AA[A-Za-z0-9_-]{32,34}(?![A-Za-z0-9_-])`],
  [
    'feishu-webhook',
    ['/bot/v2/hook/'],
    `(?<=open\\.(?:feishu\\.cn|larksuite\\.com)/open-apis/bot/v2/hook/)[A-Za-z0-9-]{30,40}`,
  ],
  ['dingtalk-webhook', ['oapi.dingtalk.com'], `(?<=oapi\\.dingtalk\\.com/robot/send\\?access_token=)[a-f0-9]{40,64}`],
  [
    'wecom-webhook',
    ['qyapi.weixin.qq.com'],
    `(?<=qyapi\\.weixin\\.qq\\.com/cgi-bin/webhook/send\\?key=)[A-Za-z0-9-]{30,40}`,
  ],
  ['teams-webhook', ['webhook.office.com'], `(?<=webhook\\.office\\.com/webhookb2/)[A-Za-z0-9@/-]{60,220}`],
  ['twilio-key', ['sk'], `${L}SK[a-f0-9]{32}${R}`],
  ['sendgrid-key', ['sg.'], `${L}SG\\.[A-Za-z0-9_-]{16,32}\\.[A-Za-z0-9_-]{16,64}`],
  ['mailgun-key', ['key-'], `${L}key-[a-f0-9]{32}${R}`],
  ['mailchimp-key', ['-us'], `${L}[a-f0-9]{32}-us\\d{1,2}${R}`],
  ['brevo-key', ['xkeysib-', 'xsmtpsib-'], `${L}x(?:key|smtp)sib-[a-f0-9]{64}-[A-Za-z0-9]{16}${R}`],
  ['resend-key', ['re_'], `${L}re_[A-Za-z0-9]{6,12}_[A-Za-z0-9]{20,30}${R}`, isMixed],
]

const payments: readonly Row[] = [
  ['stripe-key', ['k_live_', 'k_test_', 'k_prod_'], `${L}[rs]k_(?:live|test|prod)_[A-Za-z0-9]{10,250}${R}`],
  ['stripe-webhook-secret', ['whsec_'], `${L}whsec_[A-Za-z0-9+/=]{24,80}`],
  ['square-token', ['sq0', 'eaaa'], `${L}(?:sq0(?:atp|csp|idp)-[A-Za-z0-9_-]{22,43}|EAAA[lE][A-Za-z0-9_-]{50,80})`],
  ['shopify-token', ['shp'], `${L}shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}${R}`],
  ['braintree-token', ['access_token$'], `access_token\\$(?:production|sandbox)\\$[a-z0-9]{16}\\$[a-f0-9]{32}${R}`],
  ['facebook-token', ['eaa'], `${L}EAA[A-Za-z0-9]{80,300}${R}`],
]

const tools: readonly Row[] = [
  ['sentry-token', ['sntry'], `${L}sntry(?:s_eyJ[A-Za-z0-9_=+/-]{40,400}|u_[a-f0-9]{64})`],
  ['newrelic-key', ['nra'], `${L}NRA(?:K|L|A)-[A-Z0-9]{27}${R}`],
  ['grafana-token', ['glsa_', 'glc_'], `${L}(?:glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}|glc_eyJ[A-Za-z0-9+/=_-]{40,400})`],
  ['linear-key', ['lin_'], `${L}lin_(?:api|oauth)_[A-Za-z0-9]{32,64}${R}`],
  ['notion-token', ['ntn_', 'secret_'], `${L}(?:ntn_[A-Za-z0-9]{40,60}|secret_[A-Za-z0-9]{43})${R}`],
  ['figma-token', ['figd_'], `${L}figd_[A-Za-z0-9_-]{36,60}`],
  ['airtable-token', ['pat'], `${L}pat[A-Za-z0-9]{14}\\.[a-f0-9]{64}${R}`],
  [
    'hubspot-token',
    ['pat-'],
    `${L}pat-(?:na|eu|ap)\\d-[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}${R}`,
  ],
  ['postman-key', ['pmak-'], `${L}PMAK-[a-f0-9]{24}-[a-f0-9]{34}${R}`],
  ['dropbox-token', ['sl.'], `${L}sl\\.[A-Za-z0-9_-]{100,1500}`],
  ['1password-token', ['ops_eyj'], `${L}ops_eyJ[A-Za-z0-9+/=_-]{100,2000}`],
]

const models: readonly Row[] = [
  ['anthropic-key', ['sk-ant-'], `${L}sk-ant-[A-Za-z0-9_-]{20,300}`],
  ['openrouter-key', ['sk-or-'], `${L}sk-or-(?:v\\d-)?[a-f0-9]{40,80}${R}`],
  [
    'openai-key',
    ['sk-'],
    `${L}sk-(?:(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{20,300}|[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}|[A-Za-z0-9]{48})(?![A-Za-z0-9_-])`,
  ],
  ['model-api-key', ['sk-'], `${L}sk-[A-Za-z0-9]{20,120}${R}`, hasDigit],
  ['huggingface-token', ['hf_', 'api_org_'], `${L}(?:hf|api_org)_[A-Za-z0-9]{30,60}${R}`],
  ['groq-key', ['gsk_'], `${L}gsk_[A-Za-z0-9]{40,70}${R}`],
  ['replicate-token', ['r8_'], `${L}r8_[A-Za-z0-9]{30,45}${R}`],
  ['perplexity-key', ['pplx-'], `${L}pplx-[A-Za-z0-9]{40,60}${R}`],
  ['xai-key', ['xai-'], `${L}xai-[A-Za-z0-9]{60,100}${R}`],
  ['langsmith-key', ['lsv2_'], `${L}lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}${R}`],
  ['zhipu-key', ['.'], `${L}[a-f0-9]{32}\\.[A-Za-z0-9]{16}${R}`, isMixed, /[a-f0-9]{32}\./],
]

function hasDigit({ value }: SecretMatch): boolean {
  return /\d/.test(value)
}

/** Upper case, lower case and digits together: no word of a person or a program looks like that. */
function isMixed({ value }: SecretMatch): boolean {
  const tail = value.slice(-20)
  return /\d/.test(tail) && /[A-Z]/.test(tail) && /[a-z]/.test(tail)
}

export const serviceRules: readonly SecretRule[] = [
  ...clouds,
  ...codeHosts,
  ...messaging,
  ...payments,
  ...tools,
  ...models,
].map(([kind, needs, pattern, accept, quick]) =>
  patternRule(kind, expression(pattern, 'g'), { needs, accept, quick: quick && ((text) => quick.test(text)) }),
)
