export { type EvalForeignOptions, evalForeign, type ForeignReport } from './eval-foreign.ts'
export { type EvalPairsOptions, evalPairs, type PairsReport } from './eval-pairs.ts'
export { type EvalRetrievalOptions, evalRetrieval, type RetrievalReport } from './eval-retrieval.ts'
export { keepVectors } from './kept-vectors.ts'
