/**
 * Imports `.md` files as text, for the bundler and for vitest alike, so that prompts and templates need no
 * reading from disk at run time (the hook is one file).
 */
export function markdownAsText() {
  return {
    name: 'markdown-as-text',
    transform(code: string, id: string) {
      if (!id.split('?')[0]?.endsWith('.md')) return null
      return { code: `export default ${JSON.stringify(code)}`, map: null, moduleType: 'js' as const }
    },
  }
}
