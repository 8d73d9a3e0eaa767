// What a series of measurements says. A percentile of differences is taken over pairs of one round, so that what slows
// the machine down for a while counts on both sides.
import { readFileSync } from 'node:fs'

export function percentile(values, share) {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)]
}

export const p50p95 = (values) => ({ p50: round(percentile(values, 0.5)), p95: round(percentile(values, 0.95)) })

export const mean = (values) => round(values.reduce((sum, value) => sum + value, 0) / values.length)

export const round = (value) => Math.round(value * 10) / 10

/** CPU milliseconds (user and system) of children that have ended, or null where the system does not say (Linux only). */
export function childrenCpuMs() {
  try {
    const text = readFileSync('/proc/self/stat', 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    // Fields 16 and 17 of proc(5), in ticks of 10 ms.
    return (Number(fields[13]) + Number(fields[14])) * 10
  } catch {
    // No such file on this system: the figure is left out.
    return null
  }
}

/** Rows of cells as a table for a terminal; the first column is aligned left, the others right. */
export function tableOf(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => String(row[column]).length)))
  const line = (row) =>
    row.map((cell, at) => (at === 0 ? String(cell).padEnd(widths[at]) : String(cell).padStart(widths[at]))).join('  ')
  return rows.map(line).join('\n')
}
