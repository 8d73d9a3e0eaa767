/** Door of the dates. */
export { type AbsoluteDates, absoluteDates } from './absolute-dates.ts'
