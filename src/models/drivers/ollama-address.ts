/** As Ollama's own programs read it: with or without scheme and port; 0.0.0.0 is where it listens, not where it is. */
export function ollamaAddress(host: string | undefined): string {
  if (host === undefined || host === '') return 'http://127.0.0.1:11434'
  const url = /^https?:\/\//.test(host) ? host : `http://${host}`
  const { protocol, hostname, port } = new URL(url)
  const name = hostname === '0.0.0.0' ? '127.0.0.1' : hostname
  return `${protocol}//${name}:${port || (protocol === 'https:' ? '443' : '11434')}`
}
