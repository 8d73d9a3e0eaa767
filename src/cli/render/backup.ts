const SHOWN = 20

/** What a backup does not hold, with the reasons; at most so many, the rest is counted. */
export function leftOutLines(
  words: string,
  leftOut: readonly { readonly what: string; readonly reason: string }[],
): string[] {
  const omitted = leftOut.length - SHOWN
  return [
    ...leftOut.slice(0, SHOWN).map(({ what, reason }) => `${words}: ${what} (${reason})`),
    ...(omitted > 0 ? [`${words}: ${omitted} more`] : []),
  ]
}
