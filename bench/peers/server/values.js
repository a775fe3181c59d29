/**
 * Cached values, and the viewer's pending changes: see store/cache/values.py and store/write_log/pending.py.
 *
 * Ids and versions have up to 63 bits. JSON.parse would round them, so they are taken from the text of a value.
 */

/** Returns the JSON of a cached value, without the version, the time and the format before it. */
export function textOf (raw) {
  if (raw === null) throw new Error('a value is not cached')
  const body = raw.slice(raw.indexOf(' ', raw.indexOf(' ') + 1) + 1)
  return body.startsWith('#') ? body.slice(body.indexOf(' ') + 1) : body
}

/** Returns a cached value. Its large integers are not exact. */
export const valueOf = raw => JSON.parse(textOf(raw))

/** Returns a counter of an object whose pending changes do not matter. */
export const counted = (counters, kind) => counters[kind]?.[0] ?? 0

export const REACTIONS = [null, 'LIKE', 'DISLIKE']

/** Returns the viewer's reaction: the pending one, or the one of a score in the viewer's set of reactions. */
export function reaction (score, change) {
  if (change) return REACTIONS[latestOf(change)]
  return score === null ? null : Number(score) < 0 ? 'DISLIKE' : 'LIKE'
}

/**
 * Returns the number of likes (1) or dislikes (2), in which each of the viewer's pending changes counts once. `text` is
 * the JSON of the counters; `change` is the object's field of the pending changes, if it has one.
 */
export function reacted (counters, text, kind, viewer, change) {
  const value = counted(counters, kind)
  if (!change) return value
  const seen = stateAt(change, includedIn(text, kind, viewer.partition))
  return Math.max(0, value + (latestOf(change) === kind) - (seen === kind))
}

const latestOf = change => Number(change.at(-1))

/** Returns the state of an object after the pending changes up to a version. */
function stateAt (change, included) {
  const [before, ...changes] = change.split(' ')
  const last = changes.map(one => one.split('=')).findLast(([entryId]) => versionOf(entryId) <= included)
  return Number(last ? last[1] : before)
}

function versionOf (entryId) {
  const [ms, sequence] = entryId.split('-')
  return BigInt(ms) << 20n | BigInt(sequence)
}

/** Returns the newest version of a partition that a counter includes. */
function includedIn (text, kind, partition) {
  const match = new RegExp(`"${kind}":\\[-?\\d+,\\{[^}]*?"${partition}": ?(\\d+)`).exec(text)
  return match ? BigInt(match[1]) : 0n
}
