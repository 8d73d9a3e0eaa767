/**
 * One cheap look at many short texts, as the start block has them: which of them the guard must judge one by one. Most
 * hold no word that any rule asks for, and a rule's first looks over all texts at once cost little more than over one.
 * What must stay true: a text that is not named here is given back by `redact` as it is, and `scanThreats` finds nothing
 * in it. Naming a harmless one costs time only.
 */
import { createHolderLook, type HolderLook } from './pieces.ts'
import { secretLooks } from './redact.ts'
import { threatLooks } from './scan-threats.ts'
import { holdsIgnorable } from './threats/invisible.ts'
import { commandView, createFold, mayHideWords, proseView } from './threats/views.ts'

/** Private use: no rule knows it, no view changes it, it has no case, and nobody writes it. */
const SEAM = '\uE000'

/** Numbers of the texts to judge. They must be well formed. */
export function suspectTexts(texts: readonly string[]): ReadonlySet<number> {
  const joined = texts.join(SEAM)
  // Somebody does write it: then all are looked at.
  if (texts.some((text) => text.includes(SEAM))) return new Set(texts.keys())
  const suspects = new Set<number>()
  const addWhere = (isSuspect: (text: string) => boolean) => {
    if (!isSuspect(joined)) return
    for (const [number, text] of texts.entries()) if (isSuspect(text)) suspects.add(number)
  }
  addWhere(holdsIgnorable)
  addWhere(mayHideWords)
  addThreats(joined, texts, suspects)
  addSecrets(joined, texts, addWhere, suspects)
  return suspects
}

function addThreats(joined: string, texts: readonly string[], suspects: Set<number>): void {
  const { lists, prepared } = threatLooks
  const fold = createFold()
  const looks = new Map<string, HolderLook>()
  const lookAt = (text: string) => {
    const look = looks.get(text) ?? createHolderLook(text, SEAM, lists)
    looks.set(text, look)
    return look
  }
  const views = {
    raw: lookAt(joined.toLowerCase()),
    prose: lookAt(proseView(joined, fold).lowered),
    command: lookAt(commandView(joined, fold).lowered),
  }
  for (const { pattern, needs } of prepared)
    for (const number of needs.length === 0 ? texts.keys() : holdersOfAll(needs, views[pattern.view]))
      suspects.add(number)
}

function addSecrets(
  joined: string,
  texts: readonly string[],
  addWhere: (isSuspect: (text: string) => boolean) => void,
  suspects: Set<number>,
): void {
  const look = createHolderLook(joined.toLowerCase(), SEAM, secretLooks.lists)
  for (const { rule, needs } of secretLooks.ruled) {
    if (needs.length === 0) addWhere(rule.quick ?? (() => true))
    else
      for (const number of holdersOfAll(needs, look))
        if (!rule.quick || rule.quick(texts[number] ?? '')) suspects.add(number)
  }
}

/** Texts that hold a piece of each list. */
function holdersOfAll(lists: readonly number[], look: HolderLook): Iterable<number> {
  const [first, ...others] = lists
  if (first === undefined) return []
  const holders = look(first)
  return holders.size === 0 ? [] : [...holders].filter((number) => others.every((list) => look(list).has(number)))
}
