/** Signed image URLs: see domain/images/signed_urls.py. */

import { createHmac } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { settings } from './settings.js'

const MAC_BYTES = 16
const MOST_SIGNED = 8192
const { lifetime, bucket, keyId, key } = settings.images
const signed = new Map()

/** Signs an image URL. A URL with the same expiry is signed once. */
export function sign (url) {
  const soonest = Math.floor(Date.now() / 1000) + lifetime
  const expires = soonest + ((crc32(url) - soonest) % bucket + bucket) % bucket
  const known = signed.get(url)
  if (known?.expires === expires) return known.url
  if (signed.size >= MOST_SIGNED) signed.clear()
  const message = `${url}${url.includes('?') ? '&' : '?'}e=${expires}&k=${keyId}`
  const mac = createHmac('sha256', key).update(message.slice('https://'.length)).digest().subarray(0, MAC_BYTES)
  signed.set(url, { expires, url: `${message}&s=${mac.toString('base64url')}` })
  return signed.get(url).url
}
