import { createHash, createHmac } from 'node:crypto'

/** SHA-256 as 64 hex digits. */
export function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex')
}

/** HMAC-SHA-256 as 64 hex digits. */
export function keyedHash(key: string | Uint8Array, data: string): string {
  return createHmac('sha256', key).update(data).digest('hex')
}
