/** English statements about the health or the money of a person. Work about health or money is none. */
import type { SensitivePattern } from './rule.ts'

const KIN =
  'wife|husband|partner|spouse|fiancée?|son|daughter|kid|child|baby|mother|father|mom|mum|dad|parents?|brother|sister|boss|manager|colleague|coworker|teammate|friend|girlfriend|boyfriend|grand(?:mother|father|ma|pa)|aunt|uncle|cousin|nephew|niece'
/** A pronoun, somebody's relative, or a name (`named`, which must be written with a capital). */
const PERSON = `(?:i|he|she|they|(?:the|this) user|(?:my|his|her|their|the user's)(?: [a-z-]{2,12})?(?: (?:${KIN}))(?:'s (?:${KIN}))?|(?<named>[a-z]{2,15}(?: [a-z]{2,15})?))`
const BE = "(?: (?:am|is|are|was|were|has been|have been|had been|got|been)|'m|'s|'re|'ve been)"
const SOMETIMES =
  '(?: (?:also|now|currently|recently|just|still|often|always|secretly|actually|really|already|both|all|once))*'
/** What follows when the condition names a product and not a state of a person. */
const NOT_WORK =
  '(?![\\s-]+(?:apps?|application|projects?|datasets?|data|models?|classifier|detector|detection|modules?|services?|tables?|fields?|columns?|schema|api|endpoint|pages?|reports?|dashboard|study|papers?|screening|prediction|tracker|tracking|registry|clients?|customers?|team|startup|research|patients?|clinic|tests?|features?|surveys?|forms?|code|calculator|website|bot|records?)\\b)'
const CONDITION =
  "(?:(?:type [12] |gestational )?diabetes|cancer|leuka?emia|lymphoma|tumou?rs?|depression|anxiety(?: disorder| attacks?)?(?! (?:about|around|over|when))|panic attacks?|panic disorder|adhd|autism|asperger'?s?|bipolar(?: disorder)?|schizophrenia|ptsd|ocd|epilepsy|seizures|asthma|copd|hiv|aids|hepatitis(?: [abc])?|herpes|hypertension|high blood pressure|(?:coronary )?heart (?:disease|condition|failure|attack)|arrhythmia|migraines?|arthritis|multiple sclerosis|parkinson'?s?|alzheimer'?s?|dementia|lupus|crohn'?s(?: disease)?|ulcerative colitis|ulcers?|kidney (?:disease|failure|stones)|liver disease|cirrhosis|insomnia|an?emia|eating disorder|anorexia|bulimia|miscarriage|abortion|stroke|long covid|endometriosis|thyroid (?:disease|problems?|disorder)|(?:chronic|terminal|serious|genetic|rare|autoimmune|mental) (?:illness|disease|disorder)|drinking problem|suicidal thoughts|(?:nut|peanut|latex|penicillin|shellfish|food) allergy)"
const MEDICINE =
  '(?:insulin|antidepressants?|ssris?|metformin|chemo(?:therapy)?|lithium|xanax|adderall|ritalin|vyvanse|prozac|zoloft|lexapro|sertraline|antipsychotics?|beta[ -]blockers?|blood thinners|statins|opioids|methadone|benzos|sleeping pills|antiretrovirals|immunosuppressants|ozempic)'
const STATE =
  '(?:(?:\\w+ (?:weeks|months) )?pregnant(?! pause)|diabetic|epileptic|autistic|bipolar|schizophrenic|hiv[ -]positive|suicidal|(?:clinically|severely|chronically) (?:depressed|ill)|depressed|an alcoholic|a recovering (?:alcoholic|addict)|addicted to (?!this|that|the|it)[a-z]+|allergic to (?!this|that|mondays|meetings)[a-z]+|in (?:rehab|therapy|remission|hospice)|on (?:sick|medical) leave|terminally ill|infertile|immunocompromised|anorexic|bulimic|on dialysis|on chemo|(?:undergoing|having|getting|scheduled for) (?:[a-z]+ ){0,2}?(?:chemo|chemotherapy|surgery|dialysis|ivf|radiation)|recovering from (?:[a-z]+ ){0,2}?(?:surgery|cancer|operation|stroke|heart attack|burnout))'
const NUMBER =
  '(?:[$€£¥₹]\\s?\\d|(?:\\w+ ){0,2}?[$€£¥₹]?\\d[\\d.,]*\\s?(?:k|m|million|thousand|usd|eur|gbp|cny|rmb|yuan|dollars?|euros?|pounds?|%|percent|a (?:month|year)|per (?:month|year|annum))?(?![\\w.]))'
const MONEY_NAME =
  '(?:salary|income|wages?|paycheck|pay|bonus|pension|debts?|student loans?|student debt|mortgage|loan|savings|net worth|credit score|(?:bank|account|credit card|savings) balance|credit card debt|alimony|inheritance|severance|tax debt)'
const CURRENCY = '(?:k|m|thousand|million|usd|eur|gbp|cny|rmb|yuan|dollars?|euros?|pounds?|bucks)'

const healthTopic = new RegExp(
  `${CONDITION}|${MEDICINE}|${STATE}|diagnos|surgery|dialysis|chemo|biopsy|transplant|c-section|ectomy|ivf|pregnan|therap|psychiatr|oncolog|blood sugar|viral load`,
  'i',
)
const moneyTopic = new RegExp(
  `${MONEY_NAME}|[$€£¥₹]|\\b(?:earn|make|made|making|owe|inherit|paid|saved up|takes? home)|bankrupt|in debt|broke|foreclosure|in collections|behind on|defaulted|(?:pay|afford) `,
  'i',
)

/** Capitalised words that begin a sentence and name nobody. */
const noNames =
  /^(?:The|This|That|These|Those|It|We|You|What|Which|Who|There|Here|Our|Your|Its|If|When|Where|How|Why|And|But|Or|So|Then|Every|Each|Some|Any|All|No|Not|One|Nobody|Everyone|Users?|Patients?|People|Customers?|Clients?|Employees?|Most|Many|An?)\b/

function statement(kind: SensitivePattern['kind'], pattern: string): SensitivePattern {
  return {
    kind,
    topic: kind === 'health' ? healthTopic : moneyTopic,
    pattern: new RegExp(`(?<![\\w'-])${pattern}`, 'gi'),
    accept: (match) => {
      const name = match.groups?.named
      return name === undefined || (/^[A-Z]/.test(name) && !noNames.test(name))
    },
  }
}

export const englishSensitive: readonly SensitivePattern[] = [
  statement('health', `${PERSON}(?:${BE})?${SOMETIMES} diagnosed with [^.!?;\\n]{2,60}`),
  statement(
    'health',
    `${PERSON}(?:${SOMETIMES} (?:have|has|had|got|suffers? from|suffered from|struggles? with|lives? with|developed|survived)|'ve(?: got)?|${BE}${SOMETIMES} (?:suffering from|battling|fighting|living with|dealing with|treated for|being treated for))${SOMETIMES}(?: (?:an?|mild|severe|chronic|bad|early|late|stage \\w+|breast|lung|skin|prostate|colon|brain|terrible|a history of|some kind of))* ${CONDITION}(?!\\w)${NOT_WORK}`,
  ),
  statement('health', `${PERSON}${BE}${SOMETIMES} ${STATE}(?!\\w)${NOT_WORK}`),
  statement(
    'health',
    `${PERSON}(?:${SOMETIMES} (?:takes?|took|need|needs|inject|injects|started|stopped taking)|${BE}${SOMETIMES} (?:on|taking|off|prescribed))(?: (?:my|his|her|daily|some|\\d+ ?mg(?: of)?))* ${MEDICINE}(?!\\w)${NOT_WORK}`,
  ),
  statement(
    'health',
    `${PERSON}${SOMETIMES} (?:had|underwent|needs?|will have|has|have|went through|goes (?:in )?for|go (?:in )?for)(?: (?:an?|her|his|my|open|[a-z]+))? (?:heart|knee|hip|back|brain|cancer|bypass|eye|spinal|weekly|chemo)? ?(?:surgery|dialysis|chemo(?:therapy)?|biopsy|transplant|c-section|hysterectomy|vasectomy|ivf)(?!\\w)${NOT_WORK}`,
  ),
  statement(
    'health',
    `(?:my|his|her|their) (?:${CONDITION}|pregnancy|therapist|psychiatrist|oncologist|blood sugar|viral load|chemo(?:therapy)?)(?![\\w])${NOT_WORK}(?= (?:is|was|got|gets|has|came|started|makes|diagnosis|says|said|told|medication|treatment|relapsed)\\b)`,
  ),
  statement(
    'money',
    `(?:my|his|her|their|the user's|${PERSON}'s)(?: (?:monthly|annual|yearly|base|gross|net|take-home|household|total|current|new|old|starting))* ${MONEY_NAME}(?: (?:is|was|are|were|of|at|went|comes|came|rose|dropped|fell|got|stands|increased|before tax|after tax|per month|a month|a year|now|only|currently|up|down|to|from)|:|,)+ ${NUMBER}`,
  ),
  statement(
    'money',
    `${PERSON}(?:${SOMETIMES} (?:earns?|earned|makes?|made|owes?|owed|inherited|gets? paid|saved up|takes? home)|${BE}${SOMETIMES} (?:paid|earning|making))(?: (?:the bank|him|her|them|about|around|roughly|only|over|under|almost|nearly|my \\w+|a|gross|net))* (?:[$€£¥₹]\\s?\\d[\\d.,]*|\\d[\\d.,]*\\s?(?:${CURRENCY}(?!\\w)|(?:a|per) (?:month|year|annum|hour)(?!\\w)))`,
  ),
  statement(
    'money',
    `${PERSON}(?:${SOMETIMES} (?:have|has|had|got)|'ve got)(?: (?:about|around|roughly|only|over|under|almost|nearly|a|an|some))* [$€£¥₹]?\\d[\\d.,]*\\s?${CURRENCY}?(?: of| in| on)?(?: (?:my|his|her|their|the|a))?(?: (?:debt|student loans?|credit card debt|savings|bank|bank account|savings account|mortgage|inheritance|retirement account)(?!\\w))`,
  ),
  statement(
    'money',
    `${PERSON}(?:${BE}${SOMETIMES} (?:bankrupt|deep(?:ly)? in debt|in debt|flat broke|in (?:foreclosure|collections)|behind on (?:the |my |his |her )?(?:rent|mortgage|loan)[a-z ]{0,12})|${SOMETIMES} (?:filed for (?:personal )?bankruptcy|went bankrupt|defaulted on (?:my|his|her|their) (?:loan|mortgage)|can(?:'t|not) (?:pay|afford) (?:the |my |his |her )(?:rent|mortgage)))(?!\\w)`,
  ),
]
