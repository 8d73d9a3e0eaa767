/**
 * The language in which the user writes, as the last refresh saw it (`language` in the home): so a start block is the same
 * until the next one. A plain file, because a hook reads it. Without it: English.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { homeFiles, type Language, languages } from '../domain/index.ts'
import { writeWholeFile } from './notes/atomic-write.ts'

export function readLanguage(home: string): Language | null {
  try {
    const text = readFileSync(join(home, homeFiles.language), 'utf8').trim()
    return languages.find((each) => each === text) ?? null
  } catch {
    // Never recorded, or a file that cannot be read.
    return null
  }
}

export async function recordLanguage(home: string, language: Language): Promise<void> {
  if (readLanguage(home) === language) return
  await writeWholeFile(join(home, homeFiles.language), new TextEncoder().encode(`${language}\n`))
}
