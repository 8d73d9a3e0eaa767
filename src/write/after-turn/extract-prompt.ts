/** The system prompt of extraction after a turn (spec W12): the same bytes for every call. */
import { worthKeeping } from '../../domain/index.ts'
import { readPrompt } from '../../util/index.ts'
import markdown from './prompts/extract.md'

export const extractPrompt = readPrompt(markdown, { worthKeeping: worthKeeping() })
