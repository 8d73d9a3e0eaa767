/**
 * What is worth keeping, written once for every model that is asked to decide it: extraction after a turn, the deferred
 * pipeline, and a host agent that reflects by itself (spec S2, W6).
 */
import template from './prompts/worth-keeping.md'
import { typeGuide } from './type-guide.ts'

/** The rules with the types of note filled in; Markdown. */
export function worthKeeping(): string {
  return Object.entries(typeGuide).reduce((text, [type, about]) => text.replace(`{{${type}}}`, about), template.trim())
}
