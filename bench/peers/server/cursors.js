/** Cursors with signatures: see domain/cursors.py. */

import { createHash, createHmac } from 'node:crypto'
import { settings } from './settings.js'

const MAC_BYTES = 9
const key = createHash('sha256').update(`cursors\0${settings.signingKey}`).digest()

/** Returns a cursor for a position in the list named `scope`. */
export function seal (scope, ...position) {
  const body = position.join(',')
  const mac = createHmac('sha256', key).update(`${scope}\0${body}`).digest().subarray(0, MAC_BYTES)
  return Buffer.concat([mac, Buffer.from(body)]).toString('base64url')
}
