/** Branches and tags by the files of the repository; commits by git. */
import type { RefAnchor } from './anchor.ts'
import { type Check, changed, gone, holds, NO_ANCHOR, notCheckable, notChecked, type Outcome } from './check.ts'

export async function checkRef({ of, name, isSure }: RefAnchor, { look, tell }: Check): Promise<Outcome> {
  const { tree } = look
  if (of !== 'commit') {
    const isThere = tree.hasRef(of, name)
    if (isThere === true) return holds()
    return !isSure ? NO_ANCHOR : isThere === false ? gone() : notCheckable()
  }
  tell(notChecked)
  const state = await tree.stateOfCommit(name.toLowerCase(), look.signal)
  if (look.signal.aborted) return notChecked
  if (state === 'there') return holds()
  if (state === 'elsewhere') return holds('not in the present branch')
  if (state === 'dropped') return changed('in no branch any more')
  return !isSure ? NO_ANCHOR : state === 'gone' ? gone() : notCheckable()
}
