/** The prompt `reflect` as a skill, for agents that take skills from files: the same words, so that they cannot part. */
import { reflectPrompt } from './reflect.ts'

const head = `---
name: keepsake-reflect
description: Keeps what later sessions need from this conversation in Keepsake, with memory_save. Use it at the end of a piece of work, before the context is compacted, and when the user asks to reflect or what was learnt (复盘, 总结记忆). Most conversations leave nothing to keep.
---
`

export function reflectSkill(): string {
  return `${head}\n${reflectPrompt.text}\n`
}
