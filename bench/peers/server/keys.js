/** The Redis keys that the peer reads: see store/keys.py. */

import { crc32 } from 'node:zlib'
import { blake2b } from '@noble/hashes/blake2.js'
import { settings } from './settings.js'

export const POSTS = 2

export const post = id => `{post:${id}}`
export const user = id => `{user:${id}}`
export const own = id => `{own:${id}}`
export const inbox = id => `{inbox:${id}}`
export const counts = (business, id) => `{counts:${business}:${id}}`
export const entity = (business, key) => `{entity:${business}:${key}}`
export const square = '{square}'
export const pulled = '{pulled}'

export function identity (issuer, subject) {
  const digest = blake2b(new TextEncoder().encode(`${issuer}\0${subject}`), { dkLen: 16 })
  return `{identity:${Buffer.from(digest).toString('hex')}}`
}

/** The keys of a user's own state. */
export class StateKeys {
  constructor (userId) {
    this.id = userId
    this.partition = crc32(userId) % settings.partitions
    this.journal = `{${this.partition}}:journal`
    this.records = `{${this.partition}}:records:${userId}`
    this.generation = `{${this.partition}}:generation`
    this.pending = `{${this.partition}}:pending:${userId}`
    this.pendingFollows = `${this.pending}:follows`
    this.patches = `{${this.partition}}:patches:${userId}`
    this.follows = `{${this.partition}}:own:follow:${userId}`
    const own = ['block', 'mute', 'thread', 'content_follow', 'preference', 'hidden_post', 'muted_words', 'blocker']
    const states = ['mute', 'content_follow', 'muted_words']
    this.boundaries = [...own.map(kind => `own:${kind}`), ...states.map(kind => `states:${kind}`), 'boundaries']
      .map(kind => `{${this.partition}}:${kind}:${userId}`)
  }

  reactions (business) {
    return `{${this.partition}}:own:react:${this.id}:${business}`
  }

  reactionStates (business) {
    return `{${this.partition}}:states:react:${this.id}:${business}`
  }

  operation (name) {
    return `{${this.partition}}:idem:${this.id}:${name}`
  }
}
