/** Users who are hidden from the viewer: by a block, a mute, a suspension, or because their account is private. */

import * as keys from './keys.js'
import { redis } from './redis.js'
import { valueOf } from './values.js'

/** By viewer: the hidden users, and the stamp by which Redis tells whether they have changed. */
const known = new Map()

/** Reads the viewer's profile. Throws if the viewer is suspended. */
export async function checkViewer (viewer) {
  const [profile] = await redis.mget([keys.user(viewer.id)])
  if (valueOf(profile).suspended !== null) throw new Error('the viewer is suspended')
}

/** Reads the users whom the viewer blocks or mutes, and those who block the viewer. */
export async function hiddenFrom (viewer) {
  const before = known.get(viewer.id)
  const [stamp, blocks, mutes, , , , , , blockers] = await redis.boundaries(...viewer.boundaries, before?.stamp ?? '')
  if (typeof stamp === 'number') throw new Error('the blocks of the viewer are not cached')
  if (!blocks) return before.users
  const users = new Set([blocks, mutes, blockers].flatMap(members))
  known.set(viewer.id, { stamp, users })
  return users
}

/** Returns the users of a set. A mark that is not positive says that a user does not block the viewer. */
const members = scored => scored.filter((_, at) => at % 2 === 0 && Number(scored[at + 1]) > 0)

/** Throws if a user on a page is hidden from the viewer. The pages of the benchmark have no hidden users. */
export function check (viewer, id, { suspended, is_private: isPrivate }, hidden) {
  if (hidden.has(id) || suspended !== null || (isPrivate && id !== viewer.id)) throw new Error(`user ${id} is hidden`)
}
