import { describe, expect, it } from 'vitest'
import { redact } from '../redact.ts'
import { serviceRules } from './service-rules.ts'

// Every secret is put together at run time, so that scanners of this repository stay quiet.
const hex = (length: number, start = 3) =>
  Array.from({ length }, (_, index) => '0123456789abcdef'[(index * 7 + start) % 16]).join('')
const mixed = (length: number, start = 5) =>
  Array.from({ length }, (_, index) => 'aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zC'[(index * 5 + start) % 32]).join('')
const upper = (length: number, start = 1) =>
  mixed(length * 2, start)
    .toUpperCase()
    .slice(0, length)
const lower = (length: number) => mixed(length).toLowerCase()

interface Case {
  readonly kind: string
  /** [text before, secret, text after] */
  readonly hits: readonly (readonly [string, string, string])[]
  /** Texts that must come back unchanged. */
  readonly lookAlikes: readonly string[]
}

const cloudCases: Case[] = [
  {
    kind: 'aws-access-key',
    hits: [
      ['key id ', `AK${'IA'}${upper(16)}`, ' in eu-west-1'],
      ['钥匙是', `AS${'IA'}${upper(16, 3)}`, '，在东京区'],
    ],
    lookAlikes: ['the AKIA prefix marks long-lived keys', `ASIAPACIFIC regions, AKIA-${'X'}`],
  },
  {
    kind: 'google-api-key',
    hits: [
      ['maps key ', `AI${'za'}${mixed(35)}`, ''],
      ['url?key=', `AI${'za'}${mixed(35, 2)}`, '&v=3'],
    ],
    lookAlikes: ['keys of Google begin with AIza', 'AIzawa Tanaka joined the team'],
  },
  {
    kind: 'google-oauth-token',
    hits: [
      ['', `ya29${'.'}${mixed(60)}`, ''],
      ['client ', `GOC${'SPX'}-${mixed(28)}`, ''],
    ],
    lookAlikes: ['tokens start with ya29. and expire', 'the GOCSPX- prefix'],
  },
  {
    kind: 'azure-storage-key',
    hits: [
      ['DefaultEndpoints;AccountKey=', `${mixed(86)}==`, ';x'],
      ['AccountKey=', `${mixed(86, 9)}==`, ''],
    ],
    lookAlikes: ['AccountKey=<from portal>', 'set AccountKey= in the string'],
  },
  {
    kind: 'azure-client-secret',
    hits: [
      ['', `aB3${'8Q~'}${mixed(34)}`, ''],
      ['secret value ', `xYz${'7Q~'}${mixed(33, 4)}`, ' until May'],
    ],
    lookAlikes: ['the 8Q~ marker', 'abc8Q~short'],
  },
  {
    kind: 'azure-shared-access',
    hits: [
      ['https://x.blob.example/c?sv=1&sig=', `${mixed(43)}%3D`, '&se=2'],
      ['?sig=', mixed(50, 8), ''],
    ],
    lookAlikes: ['?sig=short', 'the parameter sig= is the signature'],
  },
  {
    kind: 'alibaba-access-key',
    hits: [
      ['', `LT${'AI'}5t${mixed(18)}`, ''],
      ['阿里云 ', `LT${'AI'}4G${mixed(14, 2)}`, '。'],
    ],
    lookAlikes: ['LTAI prefix', 'LTAIRBORNEDIVISION'],
  },
  {
    kind: 'tencent-secret-id',
    hits: [
      ['', `AK${'ID'}${mixed(32)}`, ''],
      ['id ', `AK${'ID'}${mixed(32, 7)}`, ' ok'],
    ],
    lookAlikes: ['AKID is the prefix', 'AKIDneyStone'],
  },
  {
    kind: 'digitalocean-token',
    hits: [
      ['', `dop_${'v1'}_${hex(64)}`, ''],
      ['t ', `doo_${'v1'}_${hex(64, 5)}`, ''],
    ],
    lookAlikes: ['dop_v1_ is the prefix', 'do_v1_migration'],
  },
  {
    kind: 'vault-token',
    hits: [
      ['', `hv${'s.'}${mixed(30)}`, ''],
      ['x ', `hv${'b.'}${mixed(60)}`, ''],
    ],
    lookAlikes: ['hvs. tokens are service tokens', 'hvs.local'],
  },
  {
    kind: 'terraform-token',
    hits: [
      ['', `${mixed(14)}.atlas${'v1'}.${mixed(64)}`, ''],
      ['t ', `${mixed(14, 2)}.atlas${'v1'}.${mixed(67)}`, ''],
    ],
    lookAlikes: ['the .atlasv1. part', 'x.atlasv1.y'],
  },
  {
    kind: 'pulumi-token',
    hits: [
      ['', `pu${'l-'}${hex(40)}`, ''],
      ['t ', `pu${'l-'}${hex(40, 9)}`, '.'],
    ],
    lookAlikes: ['pul-request', `pul-${hex(12)}`],
  },
  {
    kind: 'databricks-token',
    hits: [
      ['', `da${'pi'}${hex(32)}`, ''],
      ['t ', `da${'pi'}${hex(32, 1)}-2`, ''],
    ],
    lookAlikes: ['dapi is short for data api', `dapi${hex(8)}`],
  },
  {
    kind: 'planetscale-token',
    hits: [
      ['', `pscale_${'tkn'}_${mixed(43)}`, ''],
      ['', `pscale_${'pw'}_${mixed(43)}`, ''],
    ],
    lookAlikes: ['pscale_tkn_ prefix', 'pscale_branch'],
  },
  {
    kind: 'supabase-key',
    hits: [
      ['', `sb${'p_'}${hex(40)}`, ''],
      ['', `sb_${'secret'}_${mixed(30)}`, ''],
    ],
    lookAlikes: ['sbp_ prefix', 'sb_secret_key'],
  },
  {
    kind: 'netlify-token',
    hits: [
      ['', `nf${'p_'}${mixed(36)}`, ''],
      ['t ', `nf${'p_'}${mixed(40)}`, ''],
    ],
    lookAlikes: ['nfp_ prefix', 'nfp_payrolls'],
  },
  {
    kind: 'heroku-key',
    hits: [
      ['', `HR${'KU-'}${mixed(60)}`, ''],
      ['k ', `HR${'KU-'}${hex(36)}`, ''],
    ],
    lookAlikes: ['HRKU-1', 'HRKU- is the prefix'],
  },
  {
    kind: 'doppler-token',
    hits: [
      ['', `dp.${'pt'}.${mixed(43)}`, ''],
      ['', `dp.${'st'}.dev.${mixed(40)}`, ''],
    ],
    lookAlikes: ['dp.pt. prefix', 'dp.start()'],
  },
  {
    kind: 'tailscale-key',
    hits: [
      ['', `tsk${'ey'}-auth-${mixed(30)}`, ''],
      ['', `tsk${'ey'}-api-${mixed(30)}`, ''],
    ],
    lookAlikes: ['tskey-auth- keys expire', 'tskey-x'],
  },
  {
    kind: 'age-secret-key',
    hits: [
      ['', `AGE-SECRET-${'KEY'}-1${upper(58)}`, ''],
      ['k ', `AGE-SECRET-${'KEY'}-1${upper(58, 4)}`, ''],
    ],
    lookAlikes: ['AGE-SECRET-KEY-1 starts it', `age1${lower(58)}`],
  },
]

const codeHostCases: Case[] = [
  {
    kind: 'github-token',
    hits: [
      ['token ', `gh${'p_'}${mixed(36)}`, ' for CI'],
      ['', `github_${'pat'}_${mixed(22)}_${mixed(59)}`, ''],
      ['GITHUB_TOKEN=', `gh${'s_'}${mixed(36, 3)}`, ''],
    ],
    lookAlikes: ['tokens that begin with ghp_', 'ghp_xxxxxxxxxxxxxxxxxxxx', 'github_pat_ is the new form'],
  },
  {
    kind: 'gitlab-token',
    hits: [
      ['', `gl${'pat'}-${mixed(20)}`, ''],
      ['', `gl${'rt'}-${mixed(20, 4)}`, ''],
    ],
    lookAlikes: ['glpat- prefix', 'glpat-your-own-token-goes-here'],
  },
  {
    kind: 'bitbucket-token',
    hits: [
      ['', `AT${'BB'}${mixed(32)}`, ''],
      ['', `ATC${'TT3'}${mixed(80)}`, ''],
    ],
    lookAlikes: ['ATBB prefix', 'ATBBALL'],
  },
  {
    kind: 'atlassian-token',
    hits: [
      ['', `ATA${'TT3'}xFf${mixed(180)}`, ''],
      ['j ', `ATA${'TT3'}${mixed(60)}`, ''],
    ],
    lookAlikes: ['ATATT3 prefix', 'ATATT3short'],
  },
  {
    kind: 'npm-token',
    hits: [
      ['here is mine: ', `np${'m_'}${mixed(36)}`, ''],
      ['令牌 ', `np${'m_'}${mixed(36, 8)}`, '，别外传'],
    ],
    lookAlikes: ['npm_config_registry and npm_lifecycle_event', 'npm_package_version'],
  },
  {
    kind: 'pypi-token',
    hits: [
      ['', `py${'pi'}-AgEIcHlwaS5vcmc${mixed(60)}`, ''],
      ['', `py${'pi'}-${mixed(80)}`, ''],
    ],
    lookAlikes: ['pypi-mirror.example', 'pypi-AgEI starts every token'],
  },
  {
    kind: 'rubygems-key',
    hits: [
      ['', `ruby${'gems'}_${hex(48)}`, ''],
      ['', `ruby${'gems'}_${hex(48, 9)}`, ''],
    ],
    lookAlikes: ['rubygems_api', 'rubygems_version'],
  },
  {
    kind: 'docker-token',
    hits: [
      ['', `dckr_${'pat'}_${mixed(27)}`, ''],
      ['', `dckr_${'oat'}_${mixed(30)}`, ''],
    ],
    lookAlikes: ['dckr_pat_ prefix', 'dckr_image'],
  },
  {
    kind: 'crates-token',
    hits: [
      ['', `ci${'o'}${mixed(32)}`, ''],
      ['t ', `ci${'o'}${mixed(32, 9)}`, ''],
    ],
    lookAlikes: ['cio at the firm', 'ciocolata'],
  },
  {
    kind: 'nuget-key',
    hits: [
      ['', `oy${'2'}${lower(43)}`, ''],
      ['k ', `oy${'2'}${hex(43)}`, ''],
    ],
    lookAlikes: ['oy2 prefix', 'oy2short'],
  },
]

const messagingCases: Case[] = [
  {
    kind: 'slack-token',
    hits: [
      ['', `xo${'xb'}-${'1'.repeat(12)}-${mixed(24)}`, ''],
      ['', `xa${'pp'}-1-A0${upper(9)}-${'2'.repeat(13)}-${hex(64)}`, ''],
    ],
    lookAlikes: ['xoxb- tokens belong to bots', 'xoxb-your-bot-token'],
  },
  {
    kind: 'slack-webhook',
    hits: [
      ['https://hooks.slack.com/services/', `T0${upper(8)}/B0${upper(8)}/${mixed(24)}`, ''],
      ['https://hooks.slack.com/workflows/', `T0${upper(8)}/A0${upper(8)}/${'3'.repeat(18)}/${mixed(24)}`, ''],
    ],
    lookAlikes: ['https://hooks.slack.com/services/<id>', 'hooks.slack.com is blocked'],
  },
  {
    kind: 'discord-webhook',
    hits: [
      ['https://discord.com/api/webhooks/', `${'9'.repeat(18)}/${mixed(68)}`, ''],
      ['https://discordapp.com/api/webhooks/', `${'8'.repeat(19)}/${mixed(68, 2)}`, ''],
    ],
    lookAlikes: ['https://discord.com/api/webhooks/docs', 'discord.com/channels/1/2'],
  },
  {
    kind: 'discord-token',
    hits: [
      ['', `M${mixed(23)}.${mixed(6)}.${mixed(27)}`, ''],
      ['bot ', `N${mixed(25, 3)}.${mixed(6, 1)}.${mixed(38)}`, ''],
    ],
    lookAlikes: ['com.example.service', 'MyComponentNameIsRatherLong.module.css'],
  },
  {
    kind: 'telegram-token',
    hits: [
      ['', `${'1234567890'}:A${'A'}${mixed(33)}`, ''],
      ['机器人 ', `${'987654321'}:A${'A'}${mixed(33, 7)}`, ''],
    ],
    lookAlikes: ['12345678:AA meeting', '10:AA'],
  },
  {
    kind: 'feishu-webhook',
    hits: [
      ['https://open.feishu.cn/open-apis/bot/v2/hook/', `${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`, ''],
      [
        '机器人 https://open.larksuite.com/open-apis/bot/v2/hook/',
        `${hex(8, 1)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`,
        '，发告警',
      ],
    ],
    lookAlikes: ['https://open.feishu.cn/document', 'https://open.feishu.cn/open-apis/bot/v2/hook/<id>'],
  },
  {
    kind: 'dingtalk-webhook',
    hits: [
      ['https://oapi.dingtalk.com/robot/send?access_token=', hex(64), ''],
      ['https://oapi.dingtalk.com/robot/send?access_token=', hex(64, 8), '，群里'],
    ],
    lookAlikes: ['https://oapi.dingtalk.com/robot/send', 'https://oapi.dingtalk.com/robot/send?access_token=<token>'],
  },
  {
    kind: 'wecom-webhook',
    hits: [
      [
        'https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=',
        `${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`,
        '',
      ],
      [
        'https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=',
        `${hex(8, 2)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`,
        ' 值班',
      ],
    ],
    lookAlikes: [
      'https://qyapi.weixin.qq.com/cgi-bin/gettoken',
      'https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=$KEY',
    ],
  },
  {
    kind: 'teams-webhook',
    hits: [
      ['https://acme.webhook.office.com/webhookb2/', `${hex(36)}@${hex(36)}/IncomingWebhook/${hex(32)}/${hex(36)}`, ''],
      ['https://b.webhook.office.com/webhookb2/', `${hex(36, 4)}@${hex(36)}/x`, ''],
    ],
    lookAlikes: ['https://acme.webhook.office.com/', 'webhook.office.com is the host'],
  },
  {
    kind: 'twilio-key',
    hits: [
      ['', `S${'K'}${hex(32)}`, ''],
      ['k ', `S${'K'}${hex(32, 6)}`, ''],
    ],
    lookAlikes: ['SK hynix', 'SKU 1234'],
  },
  {
    kind: 'sendgrid-key',
    hits: [
      ['', `S${'G.'}${mixed(22)}.${mixed(43)}`, ''],
      ['k ', `S${'G.'}${mixed(22, 3)}.${mixed(43, 3)}`, ''],
    ],
    lookAlikes: ['SG.example', 'SG. keys have two parts'],
  },
  {
    kind: 'mailgun-key',
    hits: [
      ['', `ke${'y-'}${hex(32)}`, ''],
      ['k ', `ke${'y-'}${hex(32, 2)}`, ''],
    ],
    lookAlikes: ['key-value store', 'key-1234'],
  },
  {
    kind: 'mailchimp-key',
    hits: [
      ['', `${hex(32)}-u${'s'}14`, ''],
      ['k ', `${hex(32, 4)}-u${'s'}2`, ''],
    ],
    lookAlikes: [`${hex(32)}-eu1`, 'region-us1'],
  },
  {
    kind: 'brevo-key',
    hits: [
      ['', `xkey${'sib'}-${hex(64)}-${mixed(16)}`, ''],
      ['', `xsmtp${'sib'}-${hex(64)}-${mixed(16)}`, ''],
    ],
    lookAlikes: ['xkeysib- prefix', 'xkeysib-short'],
  },
  {
    kind: 'resend-key',
    hits: [
      ['', `r${'e_'}${mixed(8)}_${mixed(24)}`, ''],
      ['k ', `r${'e_'}${mixed(8, 2)}_${mixed(24, 9)}`, ''],
    ],
    lookAlikes: ['re_compile_the_whole_pattern_again', 're_export'],
  },
]

const paymentCases: Case[] = [
  {
    kind: 'stripe-key',
    hits: [
      ['', `sk_${'live'}_${mixed(24)}`, ''],
      ['测试 ', `rk_${'test'}_${mixed(24)}`, '。'],
    ],
    lookAlikes: ['sk_live_ keys stay on the server', `pk_${'live'}_${mixed(24)}`],
  },
  {
    kind: 'stripe-webhook-secret',
    hits: [
      ['', `wh${'sec'}_${mixed(32)}`, ''],
      ['s ', `wh${'sec'}_${mixed(64)}`, ''],
    ],
    lookAlikes: ['whsec_ prefix', 'whsec_short'],
  },
  {
    kind: 'square-token',
    hits: [
      ['', `sq0${'atp'}-${mixed(22)}`, ''],
      ['', `EAA${'AE'}${mixed(59)}`, ''],
    ],
    lookAlikes: ['sq0atp- prefix', 'EAAAE'],
  },
  {
    kind: 'shopify-token',
    hits: [
      ['', `shp${'at'}_${hex(32)}`, ''],
      ['', `shp${'ss'}_${hex(32)}`, ''],
    ],
    lookAlikes: ['shpat_ prefix', 'shpat_xxxx'],
  },
  {
    kind: 'braintree-token',
    hits: [
      ['', `access_${'token'}$production$${hex(16)}$${hex(32)}`, ''],
      ['', `access_${'token'}$sandbox$${hex(16)}$${hex(32)}`, ''],
    ],
    lookAlikes: ['access_token$production', 'access_token$'],
  },
  {
    kind: 'facebook-token',
    hits: [
      ['', `EA${'AC'}${mixed(120)}`, ''],
      ['t ', `EA${'AB'}${mixed(180)}`, ''],
    ],
    lookAlikes: ['EAA report', 'EAAC'],
  },
]

const toolCases: Case[] = [
  {
    kind: 'sentry-token',
    hits: [
      ['', `sntr${'yu'}_${hex(64)}`, ''],
      ['', `sntr${'ys'}_eyJ${mixed(80)}`, ''],
    ],
    lookAlikes: ['sntryu_ prefix', 'sntrys_short'],
  },
  {
    kind: 'newrelic-key',
    hits: [
      ['', `NR${'AK'}-${upper(27)}`, ''],
      ['', `NR${'AL'}-${upper(27)}`, ''],
    ],
    lookAlikes: ['NRAK- prefix', 'NRAK-1'],
  },
  {
    kind: 'grafana-token',
    hits: [
      ['', `gl${'sa'}_${mixed(32)}_${hex(8)}`, ''],
      ['', `gl${'c_'}eyJ${mixed(80)}`, ''],
    ],
    lookAlikes: ['glsa_ prefix', 'glc_cluster'],
  },
  {
    kind: 'linear-key',
    hits: [
      ['', `lin_${'api'}_${mixed(40)}`, ''],
      ['', `lin_${'oauth'}_${hex(64)}`, ''],
    ],
    lookAlikes: ['lin_api_ prefix', 'lin_api_client'],
  },
  {
    kind: 'notion-token',
    hits: [
      ['', `nt${'n_'}${mixed(46)}`, ''],
      ['', `sec${'ret'}_${mixed(43)}`, ''],
    ],
    lookAlikes: ['ntn_ prefix', 'secret_santa_list'],
  },
  {
    kind: 'figma-token',
    hits: [
      ['', `fi${'gd'}_${mixed(40)}`, ''],
      ['t ', `fi${'gd'}_${mixed(43, 6)}`, ''],
    ],
    lookAlikes: ['figd_ prefix', 'figd_short'],
  },
  {
    kind: 'airtable-token',
    hits: [
      ['', `pa${'t'}${mixed(14)}.${hex(64)}`, ''],
      ['t ', `pa${'t'}${mixed(14, 2)}.${hex(64, 2)}`, ''],
    ],
    lookAlikes: ['patch.diff', 'pattern.test'],
  },
  {
    kind: 'hubspot-token',
    hits: [
      ['', `pat-${'na1'}-${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`, ''],
      ['', `pat-${'eu1'}-${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`, ''],
    ],
    lookAlikes: ['pat-na1- prefix', 'pat-eu1-x'],
  },
  {
    kind: 'postman-key',
    hits: [
      ['', `PM${'AK'}-${hex(24)}-${hex(34)}`, ''],
      ['k ', `PM${'AK'}-${hex(24, 5)}-${hex(34, 5)}`, ''],
    ],
    lookAlikes: ['PMAK- prefix', 'PMAK-1-2'],
  },
  {
    kind: 'dropbox-token',
    hits: [
      ['', `s${'l.'}${mixed(136)}`, ''],
      ['t ', `s${'l.'}B${mixed(140)}`, ''],
    ],
    lookAlikes: ['sl.example', 'sl.wikipedia.org'],
  },
  {
    kind: '1password-token',
    hits: [
      ['', `ops_${'eyJ'}${mixed(200)}`, ''],
      ['t ', `ops_${'eyJ'}${mixed(400)}`, ''],
    ],
    lookAlikes: ['ops_eyJ prefix', 'ops_team'],
  },
]

const modelCases: Case[] = [
  {
    kind: 'anthropic-key',
    hits: [
      ['', `sk-${'ant'}-api03-${mixed(93)}AA`, ''],
      ['ANTHROPIC_API_KEY=', `sk-${'ant'}-${mixed(40)}`, ''],
    ],
    lookAlikes: ['keys start with sk-ant-', 'sk-ant-xxxx'],
  },
  {
    kind: 'openrouter-key',
    hits: [
      ['', `sk-${'or'}-v1-${hex(64)}`, ''],
      ['k ', `sk-${'or'}-v1-${hex(64, 5)}`, ''],
    ],
    lookAlikes: ['sk-or-v1- prefix', 'sk-or-not'],
  },
  {
    kind: 'openai-key',
    hits: [
      ['', `sk-${'proj'}-${mixed(48)}`, ''],
      ['', `sk-${mixed(20)}T3Blbk${'FJ'}${mixed(20)}`, ''],
      ['', `sk-${mixed(48)}`, ''],
    ],
    lookAlikes: ['sk-proj- is the prefix', 'sk-project-settings-page-layout'],
  },
  {
    kind: 'model-api-key',
    hits: [
      ['DeepSeek ', `s${'k-'}${hex(32)}`, ''],
      ['通义 ', `s${'k-'}${hex(32, 7)}`, '，别写进代码'],
    ],
    lookAlikes: ['.sk-fading-circle-container-inner', 'sk-learn'],
  },
  {
    kind: 'huggingface-token',
    hits: [
      ['', `h${'f_'}${mixed(34)}`, ''],
      ['', `api_${'org'}_${mixed(34)}`, ''],
    ],
    lookAlikes: ['hf_ prefix', 'hf_hub_download'],
  },
  {
    kind: 'groq-key',
    hits: [
      ['', `gs${'k_'}${mixed(52)}`, ''],
      ['k ', `gs${'k_'}${mixed(52, 1)}`, ''],
    ],
    lookAlikes: ['gsk_ prefix', 'gsk_pharma'],
  },
  {
    kind: 'replicate-token',
    hits: [
      ['', `r${'8_'}${mixed(37)}`, ''],
      ['t ', `r${'8_'}${mixed(37, 3)}`, ''],
    ],
    lookAlikes: ['r8_ prefix', 'r8_minify'],
  },
  {
    kind: 'perplexity-key',
    hits: [
      ['', `pp${'lx-'}${mixed(48)}`, ''],
      ['k ', `pp${'lx-'}${hex(48)}`, ''],
    ],
    lookAlikes: ['pplx- prefix', 'pplx-api'],
  },
  {
    kind: 'xai-key',
    hits: [
      ['', `xa${'i-'}${mixed(80)}`, ''],
      ['k ', `xa${'i-'}${mixed(80, 2)}`, ''],
    ],
    lookAlikes: ['xai-sdk', 'xai- prefix'],
  },
  {
    kind: 'langsmith-key',
    hits: [
      ['', `lsv2_${'pt'}_${hex(32)}_${hex(10)}`, ''],
      ['', `lsv2_${'sk'}_${hex(32)}_${hex(10)}`, ''],
    ],
    lookAlikes: ['lsv2_pt_ prefix', 'lsv2_x'],
  },
  {
    kind: 'zhipu-key',
    hits: [
      ['', `${hex(32)}.${mixed(16)}`, ''],
      ['智谱 ', `${hex(32, 6)}.${mixed(16, 6)}`, ''],
    ],
    lookAlikes: [`app.${hex(32)}.js`, `${hex(32)}.stylesheetbundle`],
  },
]

const groups: Record<string, Case[]> = {
  clouds: cloudCases,
  'code hosts': codeHostCases,
  messaging: messagingCases,
  payments: paymentCases,
  tools: toolCases,
  models: modelCases,
}
const allCases = Object.values(groups).flat()

describe('BL-15: keys of services are masked before anything is stored, the fact is kept, the kind is told', () => {
  for (const [group, cases] of Object.entries(groups)) {
    describe(group, () => {
      it.each(cases)('$kind: every hit is masked, everything else stays', ({ kind, hits }) => {
        for (const [before, secret, after] of hits) {
          const result = redact(before + secret + after)
          expect(result.text, before).not.toContain(secret)
          expect(result.text).toMatch(/\[masked: [a-z0-9-]+\]/)
          expect(result.kinds, before + result.text).toContain(kind)
          expect(result.text.endsWith(after), `${result.text} keeps what follows`).toBe(true)
          expect(redact(result.text)).toEqual({ text: result.text, kinds: [] })
        }
      })

      it.each(cases)('$kind: look-alikes pass unchanged', ({ lookAlikes }) => {
        for (const text of lookAlikes) expect(redact(text)).toEqual({ text, kinds: [] })
      })
    })
  }

  it('the table covers every kind of the rules, each with two hits and two look-alikes', () => {
    expect([...new Set(allCases.map(({ kind }) => kind))].sort()).toEqual(
      [...new Set(serviceRules.map(({ kind }) => kind))].sort(),
    )
    for (const { kind, hits, lookAlikes } of allCases) {
      expect(hits.length, kind).toBeGreaterThanOrEqual(2)
      expect(lookAlikes.length, kind).toBeGreaterThanOrEqual(2)
    }
    expect(allCases.length).toBeGreaterThanOrEqual(60)
  })
})
