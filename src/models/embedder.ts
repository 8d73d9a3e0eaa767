/** Port to a sentence encoder: texts to vectors. */

export interface Embedder {
  /** Stamps the vectors: another id or dimension means that they are made anew. */
  readonly id: string
  readonly dimensions: number
  /**
   * One vector for each text, in order; any length, they are normalised by the caller. `use` tells models that need it
   * which side of the search a text is. Rejects when the model cannot be used, or when the signal says stop.
   */
  embed(
    texts: readonly string[],
    options: { readonly use: 'query' | 'document'; readonly signal?: AbortSignal },
  ): Promise<readonly Float32Array[]>
}
