/** The home page: the inbox merged with the viewer's own posts, without authors whom the viewer does not follow. */

import { checkViewer, hiddenFrom } from './hidden.js'
import * as keys from './keys.js'
import { isVisible, read } from './posts.js'
import { merged, newestOf, redis } from './redis.js'
import { settings } from './settings.js'
import { paged } from './square.js'

const MOST_BIG_ACCOUNTS = 10_000

/** The author of each post, which never changes. */
const authors = new Map()
let bigAccountsUntil = 0

/**
 * Returns the posts of the first page, for a viewer who follows no big account and has no pending posts, the viewer's
 * pending changes, and the users who are hidden from the viewer.
 */
export async function home (viewer, first) {
  const items = await newest(viewer, first + 1)
  const { posts, followed, pending, hidden } = await hydrated(viewer, items.map(([, id]) => id))
  const isShown = post => isVisible(post, viewer) && (post.authorId === viewer.id || followed.has(post.authorId))
  const [[newestMoment]] = items
  return paged(posts.filter(isShown), pending, hidden, first, `home:${viewer.id}`, -newestMoment)
}

async function newest (viewer, count) {
  redis.pexpire(keys.inbox(viewer.id), settings.inboxLifeMs)
  const [inbox, own, patches] = await Promise.all([
    newestOf(keys.inbox(viewer.id), count),
    newestOf(keys.own(viewer.id), count),
    redis.hgetall(viewer.patches),
    checkViewer(viewer),
    checkBigAccounts()
  ])
  if (Object.keys(patches).length) throw new Error('the viewer has pending posts')
  return merged([inbox, own], count)
}

/** Reads the list of big accounts as often as Plaudit does. In the benchmark there are none. */
async function checkBigAccounts () {
  const now = Date.now()
  if (now < bigAccountsUntil) return
  bigAccountsUntil = now + settings.localCacheMs
  if ((await newestOf(keys.pulled, MOST_BIG_ACCOUNTS)).length) throw new Error('there are big accounts')
}

/** Returns posts, the set of their authors whom the viewer follows, the viewer's pending changes, and hidden users. */
async function hydrated (viewer, ids) {
  const known = [...new Set(ids.map(id => authors.get(id)).filter(Boolean))]
  const [posts, pending, changes, followed, hidden] = await Promise.all([
    read(ids),
    redis.hgetall(viewer.pending),
    redis.hgetall(viewer.pendingFollows),
    followedAmong(viewer, known),
    hiddenFrom(viewer)
  ])
  for (const post of posts) authors.set(post.id, post.authorId)
  const unknown = [...new Set(posts.map(post => post.authorId))].filter(author => !known.includes(author))
  for (const author of await followedAmong(viewer, unknown)) followed.add(author)
  for (const [field, change] of Object.entries(changes)) {
    const [, , id] = field.split(':')
    followed[change.endsWith('=1') ? 'add' : 'delete'](id)
  }
  return { posts, followed, pending, hidden }
}

async function followedAmong (viewer, users) {
  if (!users.length) return new Set()
  const [complete, ...scores] = await redis.zmscore(viewer.follows, '0', ...users)
  if (complete === null) throw new Error('follows are not cached')
  return new Set(users.filter((_, at) => scores[at] !== null))
}
