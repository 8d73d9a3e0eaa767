import type { ExtractedNote, ExtractInput } from '../src/write/extract/index.ts'

export interface GateResult {
  readonly id: string
  readonly isSilent: boolean
  readonly keeps: number
  readonly saved: number
  readonly right: number
  readonly forbidden: number
  readonly wrongReplaces: number
  readonly remarks: readonly string[]
}

export interface GateShare {
  readonly hits: number
  readonly of: number
  readonly value: number | null
}

export function scoreConversation(row: unknown, saved: readonly unknown[]): GateResult
export function summarise(results: readonly GateResult[]): {
  readonly conversations: number
  readonly precision: GateShare
  readonly recall: GateShare
  readonly noOp: GateShare
  readonly forbidden: number
  readonly wrongReplaces: number
}
export function extractFrom(row: unknown, extractNotes: (input: ExtractInput) => ExtractedNote[]): ExtractedNote[]
export function parseRows(text: string): unknown[]
