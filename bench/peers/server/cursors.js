/** Encrypted cursors: see domain/cursors.py. Node has no AES-SIV (RFC 5297), so this makes it of AES-CBC and AES-CTR. */

import { createCipheriv, createHash } from 'node:crypto'
import { settings } from './settings.js'

const BLOCK = 16
const ZERO = Buffer.alloc(BLOCK)
const key = createHash('sha256').update(`cursors\0${settings.signingKey}`).digest()
const macKey = key.subarray(0, BLOCK)
const encryptionKey = key.subarray(BLOCK)
const ofWhole = doubled(lastBlock(ZERO))
const ofPadded = doubled(ofWhole)
const start = doubled(mac(ZERO))

/** Returns a cursor for a position in the list named `scope`. */
export function seal (scope, ...position) {
  const body = Buffer.from(position.join(','))
  const digest = xor(start, mac(Buffer.from(scope)))
  const tag = mac(body.length >= BLOCK ? xorEnd(body, digest) : xor(padded(body), doubled(digest)))
  const counter = Buffer.from(tag)
  counter[8] &= 0x7f
  counter[12] &= 0x7f
  const encrypted = createCipheriv('aes-128-ctr', encryptionKey, counter).update(body)
  return Buffer.concat([tag, encrypted]).toString('base64url')
}

/** Returns the AES-CMAC (RFC 4493) of a message. */
function mac (message) {
  const isWhole = message.length > 0 && message.length % BLOCK === 0
  return lastBlock(xorEnd(isWhole ? message : padded(message), isWhole ? ofWhole : ofPadded))
}

function lastBlock (blocks) {
  return createCipheriv('aes-128-cbc', macKey, ZERO).update(blocks).subarray(-BLOCK)
}

function padded (bytes) {
  return Buffer.concat([bytes, Buffer.of(0x80), Buffer.alloc(BLOCK - 1 - bytes.length % BLOCK)])
}

function xorEnd (bytes, block) {
  const end = bytes.length - BLOCK
  return Buffer.concat([bytes.subarray(0, end), xor(bytes.subarray(end), block)])
}

function xor (one, other) {
  return one.map((byte, index) => byte ^ other[index])
}

/** Returns a block multiplied by two in GF(2^128). */
function doubled (block) {
  return block.map((byte, index) =>
    (byte << 1) ^ ((block[index + 1] ?? 0) >> 7) ^ (index === BLOCK - 1 ? (block[0] >> 7) * 0x87 : 0))
}
