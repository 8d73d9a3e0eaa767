/** JSON Schema for providers: each refuses other words of it, so only those that all of them take are sent. */
import type { JsonSchema } from '../completer.ts'

const TAKEN = new Set(['type', 'description', 'enum', 'const', 'required', 'additionalProperties', '$ref'])
const LISTS = new Set(['anyOf', 'allOf', 'oneOf'])
const MAPS = new Set(['properties', '$defs'])

/** What it leaves out (lengths, patterns, ranges) is checked by who reads the answer. */
export function plainSchema(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]) => {
      if (TAKEN.has(key)) return [[key, value]]
      if (LISTS.has(key) && Array.isArray(value)) return [[key, value.map(plain)]]
      if (key === 'items') return [[key, plain(value)]]
      if (!MAPS.has(key) || !isRecord(value)) return []
      return [[key, Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner)]))]]
    }),
  )
}

/** Whether every object names all of its fields as required and allows no other: what a strict mode wants. */
export function isClosedSchema(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isClosedSchema)
  if (!isRecord(schema)) return true
  const { properties, required } = schema
  if (isRecord(properties)) {
    const all = Object.keys(properties)
    const names = Array.isArray(required) ? required : []
    if (schema.additionalProperties !== false || !all.every((name) => names.includes(name))) return false
    if (!Object.values(properties).every(isClosedSchema)) return false
  } else if (schema.type === 'object') return false
  const inner = [
    schema.items,
    schema.anyOf,
    schema.allOf,
    schema.oneOf,
    ...Object.values(isRecord(schema.$defs) ? schema.$defs : {}),
  ]
  return inner.every(isClosedSchema)
}

function plain(value: unknown): unknown {
  return isRecord(value) ? plainSchema(value) : value
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
