/** Door of the dates. */
export { type AbsoluteDates, absoluteDates, findDates } from './absolute-dates.ts'
export { calendarDay } from './calendar.ts'
