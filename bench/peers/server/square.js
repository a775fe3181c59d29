/** The newest posts of all users: the list, merged with the viewer's own posts. */

import { seal } from './cursors.js'
import { checkViewer, hiddenFrom } from './hidden.js'
import * as keys from './keys.js'
import { isVisible, read } from './posts.js'
import { merged, newestOf, redis } from './redis.js'

/**
 * Returns the posts of the first page, for a viewer without pending posts, the viewer's pending changes, and the users
 * who are hidden from the viewer. The last two are read with the posts.
 */
export async function square (viewer, first) {
  const [newest, own, patches] = await Promise.all([
    newestOf(keys.square, first + 1),
    newestOf(keys.own(viewer.id), first + 1),
    redis.hgetall(viewer.patches),
    checkViewer(viewer)
  ])
  if (Object.keys(patches).length) throw new Error('the viewer has pending posts')
  const items = merged([newest, own], first + 1)
  const [posts, pending, hidden] = await Promise.all([
    read(items.map(([, id]) => id)),
    redis.hgetall(viewer.pending),
    hiddenFrom(viewer)
  ])
  return paged(posts.filter(post => isVisible(post, viewer)), pending, hidden, first, 'square', first)
}

/** Returns the first page of posts, of which there is one more than the page has. The cursor contains `mark`. */
export function paged (shown, pending, hidden, first, scope, mark) {
  if (shown.length <= first) throw new Error('the page is not full')
  const posts = shown.slice(0, first)
  const { moment, id } = posts.at(-1)
  return { posts, pending, hidden, pageInfo: { hasNextPage: true, endCursor: seal(scope, moment, id, mark) } }
}
