import { statSync } from 'node:fs'

/**
 * What a small file holds now: read again only when its size, time or inode changed; `empty` while there is none. Other
 * processes append to these files at any time.
 */
export function createFileView<Value>(file: string, read: (file: string) => Value, empty: Value): () => Value {
  const state = { stamp: 'none', value: empty }
  return () => {
    const stat = statSync(file, { throwIfNoEntry: false, bigint: true })
    const stamp = stat ? `${stat.ino}.${stat.size}.${stat.mtimeNs}` : 'none'
    if (stamp !== state.stamp) {
      state.value = stat ? read(file) : empty
      state.stamp = stamp
    }
    return state.value
  }
}
