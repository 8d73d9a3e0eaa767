import { describe, expect, it } from 'vitest'
import { configKeys, valueProblem } from './config-keys.ts'
import { embedderForms, parseEmbedderName } from './embedder-name.ts'

const kind = configKeys.find(({ key }) => key === 'embedder')!.value

describe('names of embedders [R4]', () => {
  it.each([
    ['use-lite', { kind: 'use-lite' }],
    ['transformers', { kind: 'transformers', place: 'Xenova/multilingual-e5-small', download: false }],
    [
      'transformers:Xenova/all-MiniLM-L6-v2',
      { kind: 'transformers', place: 'Xenova/all-MiniLM-L6-v2', download: false },
    ],
    ['transformers:/models/my e5', { kind: 'transformers', place: '/models/my e5', download: false }],
    ['transformers:~/models/e5', { kind: 'transformers', place: '~/models/e5', download: false }],
    ['transformers+download', { kind: 'transformers', place: 'Xenova/multilingual-e5-small', download: true }],
    ['transformers+download:a/b', { kind: 'transformers', place: 'a/b', download: true }],
    ['ollama:nomic-embed-text:v1.5', { kind: 'ollama', model: 'nomic-embed-text:v1.5' }],
    ['openai:text-embedding-3-small', { kind: 'openai', model: 'text-embedding-3-small' }],
    ['openai-compatible:BAAI/bge-m3', { kind: 'openai-compatible', model: 'BAAI/bge-m3' }],
  ])('%s', (text, expected) => {
    expect(parseEmbedderName(text)).toEqual(expected)
    expect(valueProblem(kind, text)).toBeNull()
  })

  it.each<[unknown]>([
    [''],
    ['yes'],
    ['USE-lite'],
    ['use-lite:'],
    ['use-lite:big'],
    ['ollama'],
    ['ollama:'],
    ['ollama: '],
    ['openai: text'],
    ['openai:a\nb'],
    ['transformers:'],
    ['transformers:models/../../etc'],
    ['transformers:e5'],
    ['transformers+download:/models/e5'],
    ['http://127.0.0.1'],
    [true],
    [3],
  ])('%j is none, and every form is named', (value) => {
    if (typeof value === 'string') expect(parseEmbedderName(value)).toBeNull()
    const problem = valueProblem(kind, value)
    for (const form of embedderForms) expect(problem).toContain(form)
  })

  it('null switches it off', () => {
    expect(valueProblem(kind, null)).toBeNull()
  })
})
