/** The system prompts of the deferred pipeline (spec W14): the same bytes for every call. */
import { worthKeeping } from '../../domain/index.ts'
import { readPrompt } from '../../util/index.ts'
import stageOne from './prompts/stage-one.md'
import stageTwo from './prompts/stage-two.md'

export const stageOnePrompt = readPrompt(stageOne)
export const stageTwoPrompt = readPrompt(stageTwo, { worthKeeping: worthKeeping() })
