import { statSync } from 'node:fs'

/** Another text whenever the file may hold something else. */
export function stampOf(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false, bigint: true })
  return stat ? `${stat.ino}.${stat.size}.${stat.mtimeNs}` : NO_FILE
}

const NO_FILE = 'none'

/**
 * What a small file holds now: read again only when its size, time or inode changed; `empty` while there is none. Other
 * processes append to these files at any time.
 */
export function createFileView<Value>(file: string, read: (file: string) => Value, empty: Value): () => Value {
  const state = { stamp: NO_FILE, value: empty }
  return () => {
    const stamp = stampOf(file)
    if (stamp !== state.stamp) {
      state.value = stamp === NO_FILE ? empty : read(file)
      state.stamp = stamp
    }
    return state.value
  }
}
