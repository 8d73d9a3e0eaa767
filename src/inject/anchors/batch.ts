/** Questions of one turn of the event loop, asked together; the same question is asked once. */
export function createBatch<Answer>(
  ask: (keys: readonly string[]) => Promise<(key: string) => Answer>,
): (key: string) => Promise<Answer> {
  const answers = new Map<string, Promise<Answer>>()
  let waiting: { readonly keys: string[]; readonly answer: Promise<(key: string) => Answer> } | null = null
  return (key) => {
    const known = answers.get(key)
    if (known !== undefined) return known
    if (waiting === null) {
      const keys: string[] = []
      const answer = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
        waiting = null
        return ask(keys)
      })
      waiting = { keys, answer }
    }
    waiting.keys.push(key)
    const answer = waiting.answer.then((answerOf) => answerOf(key))
    answers.set(key, answer)
    return answer
  }
}
