export { type EvalRetrievalOptions, evalRetrieval, type RetrievalReport } from './eval-retrieval.ts'
