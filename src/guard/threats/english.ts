/** English sentences that try to steer a model: read in the `prose` view (lower case, single spaces). */
import { expression } from '../expression.ts'
import { gap, lazyPattern, type ThreatMatch, type ThreatPattern } from './pattern.ts'

const B = '(?<![a-z0-9])'
const E = '(?![a-z0-9])'

/** Words that make a rule about some files out of "all instructions": "… in tool output", "… from the wiki". */
const scope =
  /^ (?:in|from|inside|within|of|on|for|about|that come|that came|found|embedded|contained|coming|below|by|under)[ .,]/
const unscoped = { accept: ({ after, endsParagraph }: ThreatMatch) => endsParagraph || !scope.test(after) }

function prose(
  id: string,
  needs: ThreatPattern['needs'],
  pattern: string,
  options: Partial<ThreatPattern> = {},
): ThreatPattern {
  return lazyPattern({ id, view: 'prose', needs, ...options }, expression(pattern, 'g'))
}

const ignoring =
  'ignore disregard forget skip overr bypass neglect dismiss discard abandon overlook attention follow obey'.split(' ')
const orders = 'instruction prompt directive directions orders command programming guidance guardrail'.split(' ')
const rules = 'rule guideline polic restriction limitation constraint safeguard guardrail training principle'.split(' ')
const safety = 'safety security content ethical moral usage moderation alignment'.split(' ')
const lifting = ['bypass', 'circumvent', 'evade', 'disable', 'remove', 'turn off', 'lift', 'get around', 'ignore']
const free =
  'unrestricted unfiltered uncensored unlimited jailbroken unbound unaligned amoral evil rogue malicious dan omnipotent root superuser'.split(
    ' ',
  )
const humans = ['user', 'human', 'operator', 'owner', 'person you']

const IGNORE =
  "(?:ignore|disregard|forget|skip|override|overrule|bypass|neglect|dismiss|discard|abandon|overlook|pay no attention to|stop (?:following|obeying)|do not (?:follow|obey)|don't (?:follow|obey)|cease following)"
const EARLIER =
  "(?:previous|previously given|prior|above|earlier|preceding|former|foregoing|past|existing|initial|original|old|your|system(?:'s)?|developer(?:'s)?)"
const ORDERS = '(?:instructions?|prompts?|directives?|directions|orders|commands?|programming|guidance|guardrails)'
const RULES =
  '(?:rules?|guidelines?|polic(?:y|ies)|restrictions?|limitations?|constraints?|safeguards?|guardrails?|training|principles)'
const SAFETY = '(?:safety|security|content|ethical|moral|usage|moderation|alignment)'
const FREE =
  '(?:unrestricted|unfiltered|uncensored|unlimited|jailbroken|unbound|unaligned|amoral|evil|rogue|malicious|dan|omnipotent|root|superuser)'
/** One person. "Users" in the plural are those of a product. */
const HUMAN = '(?:the |your |any )?(?:user|human|operator|owner|person you)'

export const englishPatterns: readonly ThreatPattern[] = [
  prose(
    'prompt-injection',
    [ignoring, orders],
    `${B}${IGNORE},?${gap(4)}${EARLIER}(?: (?:[a-z,'-]{1,20})){0,3}? ${ORDERS}${E}(?! (?:line|output|prompt|for installing|history))`,
  ),
  prose(
    'prompt-injection',
    [ignoring, orders],
    `${B}${IGNORE}(?: (?:absolutely|literally|completely|simply|now|please|of|,))*,? (?:all|any|every|each)(?: of)?(?: (?:the|these|those|other|given|such))*(?: [a-z'-]{1,20})?,? ${ORDERS}${E}`,
    unscoped,
  ),
  prose(
    'prompt-injection',
    [ignoring, ['above', 'before', 'told', 'taught', 'instructed', 'given', 'prior']],
    `${B}(?:ignore|disregard|forget) (?:everything|all|anything) (?:above|before this|you (?:were|have been|'ve been) (?:told|taught|instructed|given)|i (?:said|told you) (?:above|before)|that (?:was|came) before|prior to this)`,
  ),
  prose(
    'prompt-injection',
    [
      ['instruction', 'task', 'objective', 'goal', 'mission', 'purpose'],
      ['real', 'true', 'actual', 'new'],
    ],
    `${B}(?:your|the) (?:real|true|actual|new) (?:instructions?|task|objective|goal|mission|purpose) (?:is|are|now|follows?|begins?)${E}(?=.{0,40}(?:instead|as follows|:|to (?:send|leak|reveal|exfiltrate|ignore|delete)))`,
  ),
  prose(
    'prompt-injection',
    [
      ['ignore', 'disregard', 'forget', 'follow'],
      ['instruction', 'prompt', 'directive', 'orders', 'rules', 'guidelines'],
      ['above', 'before', 'you '],
    ],
    `${B}(?:ignore|disregard|forget|do not follow|don't follow|stop following)(?: (?:all|any|of|the|these|those|every))* (?:instructions?|prompts?|directives?|orders|rules|guidelines)(?: that)? (?:above|before this|you (?:got|received|were given|have been given|had|saw|read)(?: (?:before|above|earlier|so far|previously))?)${E}(?! (?:the line|for))`,
  ),
  prose(
    'prompt-injection',
    [['ignore', 'disregard', 'forget'], ['what']],
    `${B}(?:ignore|disregard|forget) (?:what(?:ever)? (?:you were|you have been|you've been|i|they|the user) (?:told|said|taught|asked|instructed)|what was said)${E}`,
  ),
  prose(
    'disregard-rules',
    [['disregard', 'ignore', 'forget', 'violate', 'break', 'abandon', 'drop'], ['your'], rules],
    `${B}(?:disregard|ignore|forget|violate|break|abandon|drop)(?: all| any| every)?(?: of)? your(?: own)?(?: [a-z-]{1,20}){0,2}? ${RULES}${E}`,
  ),
  prose(
    'disregard-rules',
    [['disregard'], rules],
    `${B}disregard(?: all| any| every)(?: of)?(?: the| these)?(?: [a-z-]{1,20})? ${RULES}${E}`,
    unscoped,
  ),
  prose(
    'disregard-rules',
    [
      ['ignore', 'forget', 'violate', 'break', 'suspend'],
      rules,
      ['previous', 'prior', 'above', 'earlier', 'preceding', ...safety],
    ],
    `${B}(?:ignore|forget|violate|break|suspend)(?: all| any| every| the)(?: of)?(?: the)?(?: previous| prior| above| earlier| preceding| ${SAFETY}){1,3}(?: and [a-z]{1,20})? ${RULES}${E}`,
    unscoped,
  ),
  prose(
    'disregard-rules',
    [
      ['ignore', 'forget', 'break'],
      ['all', 'every'],
      ['rules', 'guidelines', 'restrictions'],
    ],
    `${B}(?:ignore|forget|break)(?: absolutely| literally)? (?:all|every)(?: of)?(?: the| these)? (?:rules|guidelines|restrictions)${E}(?= ?(?:[.,!;:]|and|from now|that (?:bind|restrict|were given)|$))`,
  ),
  prose(
    'bypass-restrictions',
    [lifting, safety],
    `${B}(?:bypass|circumvent|evade|disable|remove|turn off|lift|get around)${gap(1)}(?:your|all(?: of)?(?: your| the)?|any(?: of)?(?: your)?)(?: [a-z-]{1,20}){0,1} ?(?:${SAFETY} )(?:filters?|restrictions?|checks?|guardrails?|measures|polic(?:y|ies)|limits?|protocols?|mechanisms?)${E}`,
    unscoped,
  ),
  prose(
    'bypass-restrictions',
    [lifting, ['your'], ['filter', 'restriction', 'guardrail', 'limit', 'safeguard', 'censorship']],
    `${B}(?:bypass|circumvent|evade|disable|remove|turn off|lift|get around) your (?:[a-z-]{1,20} ){0,2}?(?:filters?|restrictions?|guardrails?|limits|limitations|safeguards|censorship)${E}`,
  ),
  prose(
    'bypass-restrictions',
    [
      ['restriction', 'rules', 'limit', 'filter', 'guideline', 'constraint', 'censorship', 'morals'],
      ['you ', 'without', 'as if'],
    ],
    `${B}(?:you (?:now )?(?:have|are under|are bound by|are subject to) no (?:more )?|(?:respond|answer|reply|act|behave|operate|work|speak) (?:[a-z]{1,12} ){0,2}?(?:without|as if (?:you have|there are|there were|you had) no) (?:any )?)(?:${SAFETY} )?(?:restrictions?|rules|limits|limitations|filters?|guidelines|constraints|censorship|morals)${E}`,
  ),
  prose(
    'bypass-restrictions',
    [[' mode', '-mode', 'do anything now']],
    `${B}(?:do anything now|dan mode|developer mode (?:is )?(?:now )?(?:enabled|activated|on)|jailbreak mode|god mode (?:enabled|activated)|(?:enter|enable|activate|switch to|switch into) (?:the )?(?:dan|jailbreak|god|unrestricted|unfiltered|evil|opposite)(?:-| )mode)${E}`,
  ),
  prose(
    'bypass-restrictions',
    [lifting, ['restrictions', 'safeguards', 'guardrails', 'limitations']],
    `${B}(?:bypass|circumvent|evade|lift|ignore) (?:all|any)(?: of)?(?: the| these)? (?:restrictions|safeguards|guardrails|limitations)${E}`,
    unscoped,
  ),
  prose(
    'role-hijack',
    [
      ['you are', "you're"],
      ['now', 'henceforth', 'hereby'],
    ],
    `${B}(?:you are|you're) (?:now|henceforth|hereby|from now on) (?:an?|the|my|our|called|named|known as|acting|playing|operating|speaking|roleplaying|role-playing|pretending|becoming|${FREE}|free (?:of|from)|no longer)${E}(?! (?:maintainer|member|owner|collaborator|contributor|reviewer|approver|subscriber|only one|one who|last|first|person|on-call|on call|right |same |paying|admin(?:istrator)? (?:of|on|in) |new (?:owner|member|maintainer)|default reviewer))`,
  ),
  prose(
    'role-hijack',
    [[' mode']],
    `${B}(?:you are|you're) now (?:in|entering|running in) (?:[a-z]{1,16} ){0,2}?(?:developer|dan|debug|god|admin|root|unrestricted|jailbreak|unfiltered|maintenance) mode`,
  ),
  prose(
    'role-hijack',
    [['no longer', ' not ']],
    `${B}(?:you are|you're) (?:now )?(?:(?:no longer|not) (?:an? (?:ai|assistant|language model|llm|chatbot|bot)|claude|chatgpt|gpt|gemini|copilot|codex|bound by (?:any|your|the|these))|no longer (?:bound|restricted|limited|required to follow|subject to|constrained))${E}`,
    { negatable: false },
  ),
  prose(
    'role-hijack',
    [
      ['act ', 'behave', 'respond', 'speak', 'operate', 'work '],
      [...free, 'without', 'with no'],
    ],
    `${B}(?:act|behave|respond|speak|operate|work) (?:as|like)${gap(3)}(?:${FREE}|with(?:out| no) (?:any )?(?:restrictions|rules|limits|filters|ethics|guidelines|morals))${E}(?! (?:user|certificate|cause|folder|directory|domain|level|ca))`,
  ),
  prose(
    'role-hijack',
    [['pretend']],
    `${B}pretend(?: that)? (?:you(?: are|'re| have| were|r)|to (?:be|have))${gap(4)}(?:${FREE}|(?:no|without|without any) (?:restrictions|rules|limits|filters|guidelines|ethics)|not (?:an? (?:ai|assistant|bot)|bound|restricted)|the (?:system|developer|administrator)|anthropic|openai)${E}(?! (?:user|folder|directory|ca))`,
  ),
  prose(
    'role-hijack',
    [['from now on', 'henceforth', 'starting now', 'from this']],
    `${B}(?:from now on|henceforth|starting now|from this (?:point|moment)(?: on| forward| onward)?),? (?:you|your)(?: will| shall| must| should|'ll)? (?:(?:be|become|are|act as|play|embody|assume)${gap(3)}(?:${FREE}|hacker|villain|character|persona|different (?:ai|assistant|model)|another (?:ai|assistant|model))|name is (?!on|in)|identity is|only obey|answer only to|obey only)`,
  ),
  prose(
    'role-hijack',
    [
      ['assume', 'adopt', 'take on', 'switch to', 'embody'],
      ['role', 'persona', 'identity', 'character'],
    ],
    `${B}(?:assume|adopt|take on|switch to|embody) (?:the |a |an )?(?:new )?(?:role|persona|identity|personality|character) of${gap(3)}(?:${FREE}|ai|assistant|hacker|attacker|admin|administrator|developer mode)${E}`,
  ),
  prose(
    'deception',
    [humans, ['not', "n't", 'dont', 'never']],
    `(?:\\bdo not|\\bdon't|\\bdont|\\bnever|\\bmust not|\\bmustn't|\\bshould not|\\bshouldn't|\\bcannot|\\bdo n't) (?:ever |please )?(?:tell|inform|notify|alert|warn|let|reveal (?:this |that |it |any of this )?to|mention (?:this|that|it|any of this|these instructions) to|disclose (?:this|that|it|any of this) to|show (?:this|that|it) to|admit (?:this|that|it)? ?to) ${HUMAN}${E}`,
    { negatable: false, accept: isConcealment },
  ),
  prose(
    'deception',
    [['hide', 'conceal', 'keep', 'withhold', 'mask', 'disguise'], humans],
    `${B}(?:hide|conceal|keep|withhold|mask|disguise) (?:(?:this|that|it|these|your (?:actions|activity|instructions|true)|the fact|the truth|everything|all of this|what you)(?: [a-z']{1,16}){0,6}? )(?:hidden |secret |a secret )?from ${HUMAN}${E}`,
  ),
  prose(
    'deception',
    [['secretly', 'covertly', 'silently', 'quietly', 'surreptitiously', 'stealthily']],
    `${B}(?:secretly|covertly|silently|quietly|surreptitiously|stealthily) (?:send|upload|forward|copy|exfiltrate|leak|transmit|post|install|delete|modify|email|report)${gap(8)}(?:to|from|without|data|key|keys|files?|secrets?|credentials?|tokens?|passwords?|backdoor)${E}`,
    { accept: ({ found }) => !/\b(?:dead letter|queue|warehouse|metrics|telemetry)\b/.test(found) },
  ),
  prose(
    'deception',
    [['without'], ['know', 'notic', 'finding out', 'aware']],
    `${B}without (?:the user(?:'s)?|the human(?:'s)?|the owner(?:'s)?|their|anyone(?:'s)?|anybody) (?:knowledge|knowing|noticing|finding out|being aware|awareness|ever knowing)${E}`,
    { accept: ({ before }) => !/(?:\b(?:never|not|avoid)|n't)\b[^.!?]{0,80}$/.test(before) },
  ),
  prose(
    'deception',
    [humans, ['not', 'never']],
    `${B}${HUMAN} (?:must|should|may|can) (?:not|never) (?:ever )?(?:know|see|notice|learn|find out|discover|be told|be informed|become aware)(?: about| of| that)? (?:this|that you|it${E}|these|what you|the (?:transfer|exfiltration|backdoor|injection|instructions))`,
  ),
  prose(
    'deception',
    [['without telling', 'without informing', 'without ever']],
    `${B}without (?:telling|informing|ever telling) ${HUMAN}${E}`,
    {
      accept: ({ before }) => !/(?:\b(?:never|not|avoid)|n't)\b[^.!?]{0,80}$/.test(before),
    },
  ),
  prose(
    'deception',
    [['nothing', 'never']],
    `${B}(?:tell ${HUMAN} nothing|${HUMAN} never (?:finds? out|knows? (?:about|of) this|learns? (?:about|of) this))${E}`,
  ),
  prose(
    'system-prompt-override',
    [['system prompt']],
    `${B}system prompts? (?:override|overwrite|replacement|update)${E}(?! (?:flag|option|setting|env|variable|test|feature|api|parameter|field|file|is read|lives))`,
  ),
  prose(
    'system-prompt-override',
    [['prompt', 'instruction', 'message']],
    `${B}(?:override|overwrite|replace|rewrite|reset|erase|delete|ignore|forget|disregard) (?:your|the (?:current|existing|original|above|previous)|all) (?:[a-z]{1,16} )?(?:system|initial|developer|base) (?:prompts?|instructions?|messages?)${E}`,
  ),
  prose(
    'system-prompt-override',
    [['instruction', 'prompt', 'directive']],
    `${B}(?:(?:your|here is your|here are your|the following (?:is|are) your) (?:new|updated|revised|real) (?:system )?(?:prompt|instructions?|directives?)${E}|(?:new|updated|revised) (?:system )?instructions? (?:for (?:the |you|all )?(?:ai|assistant|agent|model|llm)s?)? ?:)`,
  ),
  prose(
    'system-prompt-override',
    [['system prompt', 'system message', 'system instruction']],
    `${B}(?:begin|start|end) (?:of )?(?:new )?system (?:prompt|message|instructions?)${E}(?= ?(?:[\\])=:-]|$))`,
  ),
  prose(
    'system-prompt-override',
    [['system']],
    `${B}(?:(?:new|updated|revised|real|actual) system (?:prompt|message)(?: is)? ?:|system(?: message| notice| alert)? ?\\]?: (?:you (?:must|are now|will now|shall)|ignore|disregard|override|new instructions))`,
  ),
  prose(
    'leak-system-prompt',
    [
      ['prompt', 'instruction', 'message'],
      ['system', 'initial', 'hidden', 'developer', 'secret', 'original'],
    ],
    `${B}(?:reveal|print|show|output|repeat|leak|display|disclose|dump|recite|expose|give me|tell me|write out|echo)${gap(4)}(?:your|the) (?:full |entire |complete |exact |hidden |secret |original |initial )*(?:system|initial|hidden|developer|secret|original) (?:prompt|instructions?|message)${E}(?: (?:verbatim|word for word|in full|above|to (?:the user|me|us)|now|exactly))?`,
    {
      accept: ({ found }) =>
        /\byour\b/.test(found) || /(?:verbatim|word for word|in full|above|to (?:the user|me|us)|exactly)$/.test(found),
    },
  ),
  prose(
    'exfiltration',
    [['exfiltrate', 'leak', 'steal', 'siphon', 'smuggle']],
    `${B}(?:exfiltrate|leak|steal|siphon|smuggle)${gap(5)}(?:credentials?|secrets?|passwords?|tokens?|(?:api|ssh|private|access) keys?|keys|environment variables|private data|personal data|user data|conversations?|chat history|\\.env|files?)${E}`,
    {
      accept: ({ before, found }) =>
        /\b(?:to|please|must|now|then|and|always|you should)\s?$|^\s?$|[.!?:;,]\s$/.test(before) &&
        !/\bleak(?:s|ed)?\b.{0,20}\b(?:memory|file)/.test(found),
    },
  ),
  prose(
    'exfiltration',
    [
      [
        'credential',
        'secret',
        'password',
        'key',
        'token',
        'environment variable',
        'env',
        'id rsa',
        'history',
        'conversation',
        'memory',
        'user data',
      ],
      [' to '],
    ],
    `${B}(?:send|post|upload|forward|email|e-mail|mail|transmit|submit|copy|deliver|report|ship|push)${gap(6)}(?:credentials?|secrets|passwords?|(?:api|auth|access|session|secret) ?(?:tokens?|keys?)|tokens|(?:ssh|private|encryption) keys?|environment variables|env vars|\\.env(?: files?| contents?)?|id[ _]rsa|(?:chat|conversation|message) history|(?:the|this|whole|entire|full|our) conversation|memory files?|user data)${gap(6)}to (?:https?:|ftp:|the (?:following|attacker|url|address)|(?:an? |the |this |my |our )?(?:external|remote|attacker|third-party|following|webhook|paste)|this (?:url|address|server|webhook|endpoint|email)|my (?:server|email|address|webhook|endpoint)|[a-z0-9._-]{1,40}@[a-z0-9.-]{2,40})`,
  ),
  prose(
    'read-secrets',
    [
      [' of '],
      [
        '.env',
        'id rsa',
        'id_rsa',
        'id ed25519',
        'id_ed25519',
        '.aws',
        '/etc/shadow',
        '.netrc',
        '.npmrc',
        '.pgpass',
        '.git-credentials',
        '.kube',
      ],
    ],
    `${B}(?:print|paste|include|attach|reveal|show|output|append|dump|copy|embed|quote|read out|display|return|share)${gap(4)}(?:contents?|text|value|values|lines) of${gap(3)}(?:\\.env(?!\\.(?:example|sample|template)|[a-z-])|[^ ]{0,40}(?:id[ _]rsa|id[ _]ed25519|\\.aws/credentials|/etc/shadow|\\.netrc|\\.npmrc|\\.pgpass|\\.git-credentials|\\.kube/config))`,
  ),
  prose(
    'memory-planting',
    [
      ['agent', 'assistant', 'model', 'claude', 'chatgpt', 'copilot'],
      ['please', 'must', 'should', 'always'],
    ],
    `${B}(?:(?:ai|llm|coding) )?(?:agents?|assistants?|models?|claude|chatgpt|copilot)(?: reading this)?[,:]? (?:please |must |should |always |you must )+(?:also )?(?:store|save|add|record|write|remember|persist|memorize|memorise)${gap(8)}(?:(?:your|long-term|persistent|permanent) memory|memory file|user(?:'s)? (?:preference|instruction|rule|wish)|(?:all|every|future) sessions?)`,
  ),
  prose(
    'memory-planting',
    [['memory as']],
    `${B}(?:store|save|add|record|write|persist)${gap(5)}(?:in|to|into) (?:your |the )?(?:long-term |persistent |permanent )?memory as (?:a |an |the )?(?:user(?:'s)? |permanent |standing )(?:preference|instruction|rule|wish|order)`,
  ),
  prose(
    'translate-execute',
    [
      ['execute', 'run', 'eval', 'follow', 'obey', 'carry out'],
      ['translat', 'decode', 'decrypt', 'unscramble', 'deobfuscate', 'convert'],
    ],
    `${B}(?:translate|decode|decrypt|unscramble|deobfuscate|base64-decode|convert)${gap(8)}(?:and|then) (?:then )?(?:execute|run|eval|evaluate|follow|obey|carry out)${gap(1)}(?:it|them|that|this|the (?:result|output|instructions?|commands?|text|code))${E}`,
  ),
  prose(
    'forced-action',
    [['ai ', 'ais', 'llm', 'language model', 'automated']],
    `${B}(?:important|attention|urgent|notice|note|message|instructions?) (?:to|for) (?:all |any |the )?(?:(?:ai|llm|automated) (?:agents?|assistants?|models?|systems?|tools?|readers?)|(?:large )?language models?|llms|ais)(?: [a-z]{1,16}){0,3}? ?[:,!-]`,
  ),
]

/** Talk about what a product shows its users, not about hiding from the person: decided in src/guard/README.md. */
function isConcealment({ found, after }: ThreatMatch): boolean {
  const clause = after.split(/[.!?;]/)[0] ?? ''
  if (
    /\blet\b/.test(found) &&
    !/^(?: ever)? (?:know|see|notice|find out|learn|discover|realize|realise|suspect)(?: (?:about|of|that you|that this|this|it|anything|what you|these)\b| *[,:]| *$)/.test(
      clause,
    )
  )
    return false
  const aboutProduct =
    /\b(?:error (?:text|message|page|code)s?|message|toast|dialog|modal|banner|page|screen|form|ui|tooltip|label|copy|email|e-mail|response|notification|log|status code|stack trace|users? (?:id|role|table))\b/
  const aboutAgent =
    /\b(?:this|these|that you|what you|you (?:are|were|have|did)|instructions?|memory|prompt|exfiltrat|secretly|send|sent|upload|delet|anything)\b/
  return !aboutProduct.test(clause) || aboutAgent.test(clause)
}
