/** Cards, bank accounts and national ids. Those without a check digit need a word beside them that says what they are. */
import { passesChineseResidentId, passesIban, passesLuhn, passesTaiwaneseId } from './checksums.ts'
import { holdsCardNumber, holdsIbanStart, holdsLongNumber } from './first-look.ts'
import { patternRule, type SecretMatch, type SecretRule } from './rule.ts'

/** How far a word may stand from the number that it names, in UTF-16 units. */
const CONTEXT_UNITS = 40

/** Prefixes of Visa, Mastercard, American Express, Discover, JCB, Diners and UnionPay with their lengths. */
const cardNumber =
  /^(?:4\d{12}(?:\d{3}){0,2}|5[1-5]\d{14}|2[2-7]\d{14}|3[47]\d{13}|6(?:011|4[4-9]\d|5\d\d)\d{12}|35\d{14}|3[068]\d{12}|62\d{14,17})$/

const orderWords =
  /(?:order|tracking|invoice|ticket|shipment|build|serial|订单|訂單|单号|單號|运单|快递|发票|流水|编号)[^\n\d]{0,12}$/i
/** The pieces of the words below; the first look of a rule that counts only beside one of them. */
const chineseCards = '银行卡 銀行卡 卡号 卡號 信用卡 借记卡 开户 收款账 帳號 账号 帐号 户头'.split(' ')
const residentIdWords = '身份证 身份證 身分证 身分證 公民身份'.split(' ')
const chineseCardWords = /银行卡|銀行卡|卡号|卡號|信用卡|借记卡|开户|收款账|帳號|账号|帐号|户头/

function before({ text, start }: SecretMatch): string {
  return text.slice(Math.max(0, start - CONTEXT_UNITS), start)
}

function around(match: SecretMatch): string {
  return before(match) + text40After(match)
}

function text40After({ text, end }: SecretMatch): string {
  return text.slice(end, end + CONTEXT_UNITS)
}

function isCard(match: SecretMatch): boolean {
  const digits = match.value.replace(/\D/g, '')
  if (!cardNumber.test(digits) || !passesLuhn(digits)) return false
  // A bare run of digits right after "order no." is an order number, whatever its last digit says.
  return /\D/.test(match.value) || !orderWords.test(before(match))
}

export const identifierRules: readonly SecretRule[] = [
  patternRule('bank-card', /(?<![\d.])62\d{2}(?:[ -]?\d{4}){3}(?:[ -]?\d{1,3})?(?![\d.]?\d)/g, {
    quick: holdsCardNumber,
    accept: isCard,
  }),
  patternRule(
    'payment-card',
    /(?<![\w.-])(?:\d{13,19}|\d{4}([ -])\d{4}\1\d{4}\1\d{1,7}|\d{4}([ -])\d{6}\2\d{4,5})(?![\w-]|\.\d)/g,
    { quick: holdsCardNumber, accept: isCard },
  ),
  patternRule('bank-card', /(?<![\d.])\d{4}(?: ?\d{4}){3}(?: ?\d{1,3})?(?![\d.]?\d)/g, {
    needs: chineseCards,
    accept: (match) => chineseCardWords.test(before(match)) && !orderWords.test(before(match)),
  }),
  patternRule('iban', /(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?![A-Za-z0-9])/g, {
    quick: holdsIbanStart,
    accept: ({ value }) => {
      const bare = value.replaceAll(' ', '')
      return bare.length >= 15 && bare.length <= 34 && passesIban(bare)
    },
  }),
  patternRule('bank-account', /(?<!\d)\d{6,17}(?!\d)/g, {
    needs: ['account', 'acct', 'routing', 'sort code', 'kontonummer'],
    accept: (match) =>
      /\b(?:bank account|account (?:number|no\.?)|acct\.?(?: no\.?)?|routing(?: number)?|sort code|kontonummer)\b[^\n\d]{0,16}$/i.test(
        before(match),
      ),
  }),
  patternRule('cn-resident-id', /(?<![\dA-Za-z])[1-9]\d{16}[\dXx](?![\dA-Za-z])/g, {
    quick: holdsLongNumber,
    accept: ({ value }) => passesChineseResidentId(value),
  }),
  patternRule('cn-resident-id', /(?<![\dA-Za-z])[1-9]\d{13}(?:\d|\d{3}[\dXx])(?![\dA-Za-z])/g, {
    needs: residentIdWords,
    accept: (match) => /身份[证證]|身分[证證]|公民身份/.test(before(match)),
  }),
  patternRule('tw-national-id', /(?<![A-Za-z0-9])[A-Z][1289]\d{8}(?![A-Za-z0-9])/g, {
    needs: [...residentIdWords, '統一編號', 'national id'],
    accept: (match) =>
      passesTaiwaneseId(match.value) && /身分[證证]|身份[證证]|統一編號|national id/i.test(around(match)),
  }),
  patternRule('us-ssn', /(?<![\d-])(?!000|666|9\d\d)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\d-])/g, {
    needs: ['ssn', 'social security', '社会安全号', '社安号', '社會安全'],
    accept: (match) => /\bssn\b|social security|社会安全号|社安号|社會安全/i.test(around(match)),
  }),
  patternRule('us-ssn', /(?<!\d)(?!000|666|9\d\d)\d{9}(?!\d)/g, {
    needs: ['ssn', 'social security'],
    accept: (match) => /\b(?:ssn|social security(?: number| no\.?)?)\b[^\n\d]{0,12}$/i.test(before(match)),
  }),
  patternRule('uk-national-insurance', /(?<![A-Za-z0-9])[A-CEGHJ-PR-TW-Z]{2} ?(?:\d{2} ?){3}[A-D](?![A-Za-z0-9])/g, {
    needs: ['national insurance', 'nino', 'ni number'],
    accept: (match) => /national insurance|\bNI(?:NO| number)\b/i.test(around(match)),
  }),
  patternRule('passport-number', /(?<![A-Za-z0-9])[A-Z]{0,2}\d{7,9}(?![A-Za-z0-9])/g, {
    needs: ['passport', '护照', '護照'],
    accept: (match) => /(?:passport(?: number| no\.?)?|护照号?|護照號?碼?)[^\n\d]{0,12}$/i.test(before(match)),
  }),
]
