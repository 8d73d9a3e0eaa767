/** Units of measure in one base each, so that 2 weeks and 14 天 are one value. */

const lines = `
seconds 0.001 ms|millisecond|milliseconds|毫秒
seconds 1 s|sec|secs|second|seconds|秒|秒钟
seconds 60 min|mins|minute|minutes|分钟
seconds 3600 h|hr|hrs|hour|hours|小时|钟头
seconds 86400 d|day|days|天
seconds 604800 week|weeks|周|星期|礼拜
seconds 1209600 fortnight|fortnights
months 1 month|months|个月
months 12 year|years|年
bytes 1 byte|bytes|字节
bytes 1000 kb|kib
bytes 1000000 mb|mib
bytes 1000000000 gb|gib|g内存
bytes 1000000000000 tb|tib
grams 0.001 mg|毫克
grams 1 g|gram|grams|克
grams 500 斤
grams 1000 kg|kilo|kilos|kilogram|kilograms|公斤|千克
grams 1000000 ton|tons|tonne|tonnes|吨
litres 0.001 ml|millilitre|millilitres|milliliter|milliliters|毫升
litres 1 l|litre|litres|liter|liters|升
metres 0.001 mm|millimetre|millimetres|millimeter|millimeters|毫米
metres 0.01 cm|centimetre|centimetres|centimeter|centimeters|厘米|公分
metres 1 m|metre|metres|meter|meters|米
metres 1000 km|kilometre|kilometres|kilometer|kilometers|公里|千米
hertz 1 hz|赫兹
hertz 1000 khz|千赫
hertz 1000000 mhz|兆赫
degrees 1 °c|℃|c|degrees|degree|度|摄氏度
`

export interface Unit {
  readonly kind: string
  readonly factor: number
}

const units: ReadonlyMap<string, Unit> = new Map(
  lines
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [kind = '', factor = '', words = ''] = line.split(' ')
      return words.split('|').map((word) => [word, { kind, factor: Number(factor) }] as const)
    }),
)

/** Longest first, for a pattern. */
export const unitWords = [...units.keys()].sort((one, other) => other.length - one.length).join('|')

export function unitOf(word: string): Unit | null {
  return units.get(word.toLowerCase()) ?? null
}
