/** Posts: rows, and what pages show with them. */

import { check } from './hidden.js'
import * as keys from './keys.js'
import { redis } from './redis.js'
import { textOf, valueOf } from './values.js'

const APPROVED = 1
const STATUSES = ['PENDING', 'APPROVED', 'REJECTED']
const AUTHOR = /^\[\d+,(\d+)/

/** Reads posts. */
export async function read (ids) {
  const raw = await redis.mget(ids.map(keys.post))
  return raw.map((one, at) => parsed(ids[at], textOf(one)))
}

function parsed (id, text) {
  const [, , moment, written, images, topics, status, , deleted, edited] = JSON.parse(text)
  return { id, authorId: AUTHOR.exec(text)[1], moment, text: written, images, topics, status, deleted, edited }
}

/** Returns whether a viewer may see a post. */
export const isVisible = (post, viewer) => !post.deleted && (post.status === APPROVED || post.authorId === viewer.id)

/** Reads the cached counters of posts. Returns their JSON, because versions in them have more than 53 bits. */
export async function counters (posts) {
  const raw = await redis.mget(posts.map(post => keys.counts(keys.POSTS, post.id)))
  return raw.map(textOf)
}

/** Reads the scores of the viewer's reactions to posts. */
export async function reactions (viewer, posts) {
  const [floor, ...scores] = await redis.zmscore(viewer.reactions(keys.POSTS), '0', ...posts.map(post => post.id))
  if (floor === null) throw new Error('reactions are not cached')
  return scores
}

/** Reads the authors of posts, of whom none may be among the hidden users. Returns one for each post. */
export async function authors (viewer, posts, hidden) {
  const ids = [...new Set(posts.map(post => post.authorId))]
  const raw = await redis.mget(ids.map(keys.user))
  const users = new Map(raw.map((one, at) => [ids[at], user(viewer, ids[at], valueOf(one), hidden)]))
  return posts.map(post => users.get(post.authorId))
}

function user (viewer, id, row, hidden) {
  check(viewer, id, row, hidden)
  return { id: `User:${id}`, handle: row.handle, displayName: row.display_name, avatarUrl: row.avatar_url }
}

/** Returns the viewer's pending changes of the reaction to a post, if there are any. */
export const changeOf = (post, pending) => pending[`react:${keys.POSTS}:${post.id}`]

export const createdAt = post => timeOf(Math.floor(post.moment / 1024))
export const editedAt = post => post.edited === null ? null : timeOf(post.edited)
export const auditStatus = post => STATUSES[post.status]
export const topics = post => post.topics.map(name => ({ name }))

const timeOf = ms => new Date(ms).toISOString()
