/** Door of the dates. */
export { type AbsoluteDates, absoluteDates } from './absolute-dates.ts'
export { calendarDay } from './calendar.ts'
