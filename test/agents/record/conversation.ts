/** A conversation to play: what the user types, and what the scripted model answers to it, step by step. */
import type { FakeReply, FakeRequest } from '../../support/fake-model.ts'

export interface Turn {
  readonly user: string
  /** Answers in order; one that calls tools is followed by the next when the results are in. */
  readonly answers: readonly FakeReply[]
  /** Typed while the agent works on this turn. */
  readonly meanwhile?: string
}

export interface Conversation {
  readonly name: string
  /** Folder name of the invented project. */
  readonly project: string
  readonly branch: string
  readonly files: Readonly<Record<string, string>>
  readonly turns: readonly Turn[]
  /** What sub-agents are told, and what they answer. */
  readonly delegated: readonly Turn[]
  readonly summary: string
  readonly startBlock: string
}

/** Finds the turn that a request belongs to, and the answer that is due. */
export function answerFrom(conversation: Conversation): (request: FakeRequest) => FakeReply {
  const turns = [...conversation.turns, ...conversation.delegated]
  return ({ toolNames, messages, lastUser }) => {
    if (toolNames.length === 0 || lastUser.includes('<summary>')) return { text: conversation.summary }
    for (let index = messages.length - 1; index >= 0; index--) {
      const message = messages[index]
      const turn = message?.role === 'user' && turns.find(({ user }) => message.text.includes(user))
      if (!turn) continue
      const given = messages.slice(index).filter(({ role }) => role === 'assistant').length
      return turn.answers[given] ?? { text: 'Done.' }
    }
    return { text: conversation.summary }
  }
}
