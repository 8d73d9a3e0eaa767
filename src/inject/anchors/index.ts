/** Door to what looks into a working tree. */
export { type AnchorVerifierOptions, createAnchorVerifier, MAX_ANCHORS } from './create-anchor-verifier.ts'
