import { cleanMessage } from '../extract/clean-message.ts'
import { findSignals, type SignalTable } from './find-signals.ts'

/** Whether the user corrects the agent in their own words of this message, not in what they pasted. */
export function saysCorrection(content: string, tables: readonly SignalTable[] = []): boolean {
  return findSignals(cleanMessage(content), { tables }).some(({ kind }) => kind === 'correction')
}
