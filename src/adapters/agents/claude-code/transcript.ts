import type { TranscriptReader } from '../../../domain/index.ts'

export function createClaudeCodeReader(): TranscriptReader {
  return {
    agent: 'claude-code',
    async *read(_file, _options) {},
  }
}
