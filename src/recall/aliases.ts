/** Each entry: words that mean the same, in any language. */
export type AliasTable = readonly (readonly string[])[]
