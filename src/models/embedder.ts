/** Port to a sentence encoder: texts to vectors. Drivers in `drivers/`, or from whoever opens the memory. */

export interface EmbedOptions {
  /** Models that need it are told which side of the search a text is. */
  readonly use: 'query' | 'document'
  readonly signal?: AbortSignal
}

export interface Embedder {
  /**
   * Stamps the vectors: under another id they are made anew. It names provider and model, and goes into `status`; no key
   * and no path of a person. What a model of the same id gives with another number of dimensions counts as made anew too.
   */
  readonly id: string
  /**
   * One vector for each text, in order, all of one length; they are normalised by the caller. Rejects when the model
   * cannot be used, or when the signal says stop. Nothing here retries.
   */
  embed(texts: readonly string[], options: EmbedOptions): Promise<readonly Float32Array[]>
}
