/** Door of the comparison of two notes by what they say. */
export { createNearJudge, type NearJudge, type NearText, type NearVerdict } from './judge-near.ts'
export { createOriginJudge, type OriginJudge, type Said, type SentenceOrigin } from './word-origin.ts'
