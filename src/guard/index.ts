/** Door of the guard room: what may enter, and how it is shown. */
export { type CitationTag, citationTags } from './citations/citation-grammar.ts'
export {
  type CitationReader,
  type Citations,
  createCitationReader,
  readCitations,
  stripCitations,
} from './citations/citation-reader.ts'
export {
  escapeFenced,
  FENCE_NOTICES,
  FENCE_TAGS,
  type FenceKind,
  fence,
  unescapeFenced,
} from './fence.ts'
export { type GuardedText, guardText, guardWords, maskedWords } from './guard-words.ts'
export { isOwnBlock, isOwnQuestion, stripOwnBlocks } from './own-blocks.ts'
export { isSecretOnly, type Redaction, redact } from './redact.ts'
export { type Head, type Line, safeHead, safeLine, safeLines } from './safe-head.ts'
export { type PathRefusal, safePath } from './safe-path.ts'
export { confirmedText, type SafeText, safeText } from './safe-text.ts'
export { scanThreats, type ThreatHit } from './scan-threats.ts'
export { findSensitive, maskSensitive, type Sensitive } from './sensitive.ts'
export { suspectTexts } from './suspects.ts'
export {
  type CheckedNote,
  checkedLines,
  isConfirmedNow,
  namesWhatIsGone,
  verdictLine,
} from './verdict-line.ts'
