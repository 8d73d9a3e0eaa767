/** Door of the signals. */
export { type FindSignalsOptions, findSignals, type Signal, type SignalKind, type SignalTable } from './find-signals.ts'
export { type ReadCues, readCues } from './read-cues.ts'
