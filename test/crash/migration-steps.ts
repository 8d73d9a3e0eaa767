/** Invented steps: each changes every row or note, so that half a step would be seen. */
import type { HomeStep } from '../../src/store/migrate-home.ts'

export const NOTES = 5

export const firstDatabaseSteps = ['CREATE TABLE messages (key INTEGER PRIMARY KEY, words TEXT NOT NULL)'] as const

export const databaseSteps = [
  ...firstDatabaseSteps,
  'ALTER TABLE messages ADD COLUMN hash TEXT; UPDATE messages SET hash = hex(words)',
  "UPDATE messages SET words = words || '!'",
  'CREATE TABLE counts AS SELECT count(*) AS n FROM messages',
] as const

interface Effects {
  readonly read: (file: string) => string
  readonly write: (file: string, text: string) => void
  readonly hit: (point: string) => void
}

/** Safe to run again: a note that was changed already is known by its last line. */
export function homeStepsOf({ read, write, hit }: Effects): readonly HomeStep[] {
  const marked = (mark: string): HomeStep => ({
    changes: ['global'],
    run() {
      for (let index = 0; index < NOTES; index++) {
        const file = `global/project_${index}.md`
        const text = read(file)
        if (!text.endsWith(mark)) write(file, `${text}${mark}`)
        if (index === 2) hit(`in ${mark.trim()}`)
      }
    },
  })
  return [marked('first\n'), marked('second\n'), marked('third\n')]
}
