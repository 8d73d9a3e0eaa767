/**
 * Contract of an agent adapter: its transcripts are read whole, once and in order at whatever moment they are looked
 * at; its hooks never throw and never say more than they may; its wiring gives the settings back.
 */
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AgentHooks, AgentWiring, TranscriptBatch, TranscriptReader, WiringOptions } from '../domain/index.ts'

/** One agent with a place of its own for files. */
export interface AgentUnderTest {
  readonly reader: TranscriptReader
  readonly hooks: AgentHooks
  readonly wiring: AgentWiring
  readonly options: WiringOptions
  /** Stores a transcript and gives the path to read it by. */
  putTranscript(bytes: Uint8Array): Promise<string>
  /** Settings files of the agent by name, null for one that is not there. */
  readSettings(): Promise<Readonly<Record<string, string | null>>>
  writeSettings(name: string, text: string): Promise<void>
  close(): Promise<void>
}

export interface AgentSamples {
  /** A whole transcript with at least three messages of the user. */
  readonly transcript: Uint8Array
  readonly start: { readonly event: string; readonly fresh: string; readonly resumed: string }
  readonly prompt: { readonly event: string; readonly stdin: (prompt: string) => string }
  readonly wordsOfUser: readonly string[]
  readonly notOfUser: readonly string[]
  /** Settings as a person may have them, by name of the file. */
  readonly settings: readonly Readonly<Record<string, string>>[]
}

export function testAgentAdapter(name: string, samples: AgentSamples, create: () => Promise<AgentUnderTest>): void {
  describe(name, () => {
    let agent: AgentUnderTest
    beforeEach(async () => {
      agent = await create()
    })
    afterEach(() => agent.close())
    const current = () => agent

    describe('transcripts', () => testTranscripts(samples, current))
    describe('hooks', () => testHooks(samples, current))
    describe('wiring', () => testWiring(samples, current))
  })
}

type Current = () => AgentUnderTest

async function readAll(reader: TranscriptReader, file: string, fromOffset = 0): Promise<TranscriptBatch[]> {
  const batches: TranscriptBatch[] = []
  for await (const batch of reader.read(file, { fromOffset })) batches.push(batch)
  return batches
}

const messagesOf = (batches: readonly TranscriptBatch[]) => batches.flatMap((batch) => batch.messages)

function testTranscripts({ transcript }: AgentSamples, current: Current): void {
  it('gives every message once, in order, with ids that are unique', async () => {
    const { reader, putTranscript } = current()
    const messages = messagesOf(await readAll(reader, await putTranscript(transcript)))
    expect(messages.filter((message) => message.role === 'user').length).toBeGreaterThanOrEqual(3)
    const ids = messages.flatMap((message) => message.nativeId ?? [])
    expect(new Set(ids).size).toBe(ids.length)
    expect(messages.every((message) => message.content.trim() !== '')).toBe(true)
  })

  it('gives the same whether it is read at once or while it grows', async () => {
    const { reader, putTranscript } = current()
    const whole = messagesOf(await readAll(reader, await putTranscript(transcript)))
    const cuts = fc.array(fc.integer({ min: 1, max: transcript.length }), { minLength: 1, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(cuts, async (moments) => {
        const seen: TranscriptBatch[] = []
        for (const end of [...moments.sort((first, second) => first - second), transcript.length]) {
          const file = await putTranscript(transcript.subarray(0, end))
          seen.push(...(await readAll(reader, file, seen.at(-1)?.endOffset ?? 0)))
        }
        // The tool of an answer may be unknown to a reader that came after its call.
        expect(messagesOf(seen).map(withoutTool)).toEqual(whole.map(withoutTool))
      }),
      { numRuns: 60 },
    )
  })

  it('counts what is no record and reads on', async () => {
    const { reader, putTranscript } = current()
    const lines = Buffer.from(transcript).toString('utf8').split('\n')
    const garbage = ['{"half": ', '\u0000\u0000\u0000', '[]', 'words', '"text"']
    const mixed = lines.flatMap((line, index) => [line, garbage[index] ?? ''])
    const batches = await readAll(reader, await putTranscript(Buffer.from(`${mixed.join('\n')}\n`)))
    expect(messagesOf(batches)).toEqual(messagesOf(await readAll(reader, await putTranscript(transcript))))
    expect(batches.reduce((sum, { skipped }) => sum + (skipped.damaged ?? 0), 0)).toBe(garbage.length)
  })

  it('never throws for bytes that were changed', async () => {
    const { reader, putTranscript } = current()
    const change = fc.record({ at: fc.nat(transcript.length - 1), byte: fc.integer({ min: 0, max: 255 }) })
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 20 }), async (changes) => {
        const bytes = Uint8Array.from(transcript)
        for (const { at, byte } of changes) bytes[at] = byte
        const batches = await readAll(reader, await putTranscript(bytes))
        expect(batches.at(-1)?.endOffset ?? 0).toBeLessThanOrEqual(bytes.length)
      }),
      { numRuns: 60 },
    )
  })

  it('says TRANSCRIPT_UNREADABLE for a file that is not there, and stops when cancelled', async () => {
    const { reader, putTranscript } = current()
    const file = await putTranscript(transcript)
    await expect(readAll(reader, `${file}.gone`)).rejects.toMatchObject({ code: 'TRANSCRIPT_UNREADABLE' })
    const read = async () => {
      for await (const _ of reader.read(file, { signal: AbortSignal.abort() })) expect.fail('read on')
    }
    await expect(read()).rejects.toMatchObject({ code: 'CANCELLED' })
  })
}

function withoutTool<T extends { readonly toolName: string | null }>(message: T): Omit<T, 'toolName'> {
  const { toolName: _, ...rest } = message
  return rest
}

function testHooks(samples: AgentSamples, current: Current): void {
  const { start, prompt, wordsOfUser, notOfUser } = samples

  it('knows a fresh session from a resumed one', () => {
    const { hooks } = current()
    expect(hooks.parse(start.event, start.fresh)).toMatchObject({ kind: 'session-start', fresh: true })
    expect(hooks.parse(start.event, start.resumed)).toMatchObject({ kind: 'session-start', fresh: false })
  })

  it('never throws, whatever comes in', () => {
    const { hooks } = current()
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), fc.string(), (stdin, event) => {
        expect(hooks.parse(event, stdin).kind).toBeTypeOf('string')
        expect(hooks.parse(prompt.event, stdin).fresh).toBe(false)
        expect(Array.isArray(hooks.shownBlocks(stdin))).toBe(true)
        expect(hooks.isUserPrompt(stdin)).toBeTypeOf('boolean')
        expect(hooks.hasEarlierPrompt(stdin, event)).toBeTypeOf('boolean')
        expect(Array.isArray(hooks.toolUses(stdin, event))).toBe(true)
      }),
    )
  })

  it('sees an earlier prompt in the transcript, and none before the first', async () => {
    const { hooks, reader, putTranscript } = current()
    const text = Buffer.from(samples.transcript).toString('utf8')
    const messages = messagesOf(await readAll(reader, await putTranscript(samples.transcript)))
    const first = messages.find(({ role }) => role === 'user')?.content ?? ''
    const before = text.slice(0, text.lastIndexOf('\n', text.indexOf(JSON.stringify(first).slice(1, 40))) + 1)
    expect(hooks.hasEarlierPrompt('', 'next')).toBe(false)
    expect(hooks.hasEarlierPrompt(before, first)).toBe(false)
    expect(hooks.hasEarlierPrompt(text, 'next')).toBe(true)
  })

  it('says nothing for no text, and nothing at all for other events', () => {
    const { hooks } = current()
    expect(hooks.format(hooks.parse(start.event, start.fresh), '')).toBe('')
    expect(hooks.format(hooks.parse('SomethingElse', start.fresh), 'text')).toBe('')
  })

  it.each(wordsOfUser)('takes %j for words of the user', (text) => {
    const { hooks } = current()
    expect(hooks.parse(prompt.event, prompt.stdin(text))).toMatchObject({ kind: 'user-prompt', prompt: text })
    expect(hooks.isUserPrompt(text)).toBe(true)
  })

  it.each(notOfUser)('does not take %j for words of the user', (text) => {
    expect(current().hooks.isUserPrompt(text)).toBe(false)
  })
}

function testWiring({ settings }: AgentSamples, current: Current): void {
  it.each([{}, ...settings])('gives the bytes back and adds nothing twice (%#)', async (files) => {
    const { wiring, options, readSettings, writeSettings } = current()
    for (const [name, text] of Object.entries(files)) await writeSettings(name, text)
    const before = await readSettings()
    expect((await wiring.install({ ...options, dryRun: true })).length).toBeGreaterThan(0)
    expect(await readSettings()).toEqual(before)

    await wiring.install(options)
    const installed = await readSettings()
    expect(installed).not.toEqual(before)
    const again = await wiring.install(options)
    expect(again.map((change) => change.action)).toEqual(again.map(() => 'unchanged'))
    expect(await readSettings()).toEqual(installed)

    await wiring.uninstall(options)
    expect(await readSettings()).toEqual(before)
    const nothing = await wiring.uninstall(options)
    expect(nothing.map((change) => change.action)).toEqual(nothing.map(() => 'unchanged'))
  })

  it('says what is missing before the install and after the uninstall, and nothing in between', async () => {
    const { wiring, options } = current()
    expect((await wiring.verify(options)).length).toBeGreaterThan(0)
    await wiring.install(options)
    expect(await wiring.verify(options)).toEqual([])
    await wiring.uninstall(options)
    expect((await wiring.verify(options)).length).toBeGreaterThan(0)
  })
}
