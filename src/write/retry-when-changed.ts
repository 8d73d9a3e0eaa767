import { hasCode } from '../errors.ts'

/** One try and three more on bytes read anew. */
const MAX_ATTEMPTS = 4

/**
 * Runs `work` again when somebody else changed a file between its read and its write; `work` reads everything anew.
 * Throws NOTE_CHANGED_ON_DISK when the file kept changing.
 */
export async function retryWhenChanged<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !hasCode(error, 'NOTE_CHANGED_ON_DISK')) throw error
    }
  }
}
