/** The refusals of a write, worded once. Codes are stable; nothing here quotes what was refused. */
import type { Rejection } from '../domain/index.ts'

/** Code points of one memory. Longer material belongs in a file that a note points to. */
export const MAX_TEXT_CHARACTERS = 20_000

export function emptyText(): Rejection {
  return {
    code: 'empty',
    message: 'There is no text to keep.',
    rule: null,
    hint: 'Give the words of the memory, for example: keepsake remember "We deploy on Fridays".',
  }
}

export function tooLarge(characters: number): Rejection {
  return {
    code: 'too-large',
    message: `The text has ${characters} characters; a note holds at most ${MAX_TEXT_CHARACTERS}.`,
    rule: null,
    hint: 'Keep the point of it, and name the file that holds the rest.',
  }
}

export function ownBlock(): Rejection {
  return {
    code: 'own-block',
    message: 'The text is a block that Keepsake itself put into the conversation.',
    rule: null,
    hint: 'It is remembered already; say only what is new.',
  }
}

export function secretOnly(kinds: readonly string[]): Rejection {
  return {
    code: 'secret-only',
    message: `Nothing is left of the text once its secret is masked (${kinds.join(', ')}).`,
    rule: kinds[0] ?? null,
    hint: 'Keep the secret in a secret store; remember only where it lies or what it is for.',
  }
}

export function sensitiveStatement(kind: string): Rejection {
  return {
    code: 'sensitive',
    message: `The text states something about a person's ${kind}.`,
    rule: kind,
    hint: 'Not kept by default. The setting `sensitive` (refuse, mask or allow) decides.',
  }
}

export function threatFound(ids: readonly string[], where: string): Rejection {
  return {
    code: 'threat',
    message: `The ${where} reads like an instruction that should not reach a prompt (${ids.join(', ')}).`,
    rule: ids[0] ?? null,
    hint: 'Say the same in other words, as a plain fact or wish.',
  }
}

export function forgottenBefore(): Rejection {
  return {
    code: 'forgotten',
    message: 'This was forgotten on request and does not come back by itself.',
    rule: null,
    hint: 'A person can say it again: keepsake remember.',
  }
}

export function layerClosed(layer: string, mode: 'off' | 'read-only'): Rejection {
  return {
    code: mode === 'off' ? 'layer-off' : 'layer-read-only',
    message: `The ${layer} layer is ${mode === 'off' ? 'switched off' : 'read-only'}.`,
    rule: null,
    hint: `Change the setting \`modes.${layer}\`, or name another layer.`,
  }
}

export function teamReadOnly(): Rejection {
  return {
    code: 'layer-read-only',
    message: 'Team notes are only read here.',
    rule: null,
    hint: 'Change the file where the team keeps it. A project note of the same name stands before it.',
  }
}

export function homeNewer(): Rejection {
  return {
    code: 'home-newer',
    message: 'The home was written by a newer Keepsake, so this version only reads it.',
    rule: null,
    hint: 'Update Keepsake; nothing was changed.',
  }
}

export function nameTaken(layer: string): Rejection {
  return {
    code: 'name-taken',
    message: `The ${layer} layer has another note of this name.`,
    rule: null,
    hint: 'Look at `similar`; forget or rename one of the two, then move again.',
  }
}

/** What only a person can decide; told as a refusal where it cannot wait as a proposal. */
export function undecided(message: string): Rejection {
  return { code: 'undecided', message, rule: null, hint: 'Nothing was changed; ask the person.' }
}

export function placeholderFound(placeholder: string): Rejection {
  return {
    code: 'placeholder',
    message: `${JSON.stringify(placeholder)} stands for words that are not there; they would be lost.`,
    rule: null,
    hint: 'Replace only the words that change: an edit with `find` and `text` leaves everything else as it is.',
  }
}

export function tooMuchLost(name: string, characters: number): Rejection {
  return {
    code: 'loss',
    message: `The new text would drop more than a fifth of the ${characters} characters of ${JSON.stringify(name)}.`,
    rule: null,
    hint: 'Say what goes with `remove`, or replace only the words that change.',
  }
}

export function emptyFind(): Rejection {
  return {
    code: 'no-match',
    message: '`find` is empty, so no entry is meant.',
    rule: null,
    hint: 'Copy a part of the entry, word for word, that stands nowhere else.',
  }
}

export function emptyReplacement(): Rejection {
  return {
    code: 'empty',
    message: 'There is no new text, so nothing was replaced.',
    rule: null,
    hint: 'Give `text`, or use `remove` to take the entry away.',
  }
}

export function noMatch(isIn: string | null): Rejection {
  return {
    code: 'no-match',
    message: `No entry${isIn === null ? '' : ` of ${JSON.stringify(isIn)}`} holds these words.`,
    rule: null,
    hint: 'The entries that are there now come with this answer; copy the words from one of them.',
  }
}

export function severalMatches(count: number): Rejection {
  return {
    code: 'ambiguous',
    message: `${count} places hold these words.`,
    rule: null,
    hint: 'Give more words of the entry, or name its note with `in` (an id from this answer).',
  }
}

export function notEditable(message: string): Rejection {
  return {
    code: 'not-editable',
    message,
    rule: null,
    hint: 'The file has to be mended by hand first.',
  }
}
