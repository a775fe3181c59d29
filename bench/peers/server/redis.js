/** The connection to Redis. Commands of one turn of the event loop are sent as one pipeline. */

import Redis from 'ioredis'
import { settings } from './settings.js'

export const redis = new Redis(settings.redisUrl, { enableAutoPipelining: true })

redis.defineCommand('boundaries', { numberOfKeys: 12, lua: settings.boundariesScript })
redis.defineCommand('change', { numberOfKeys: 7, lua: settings.changeScript })

/** The items that are read in addition, as Plaudit does for items with equal moments. */
const ROOM = 50

/**
 * Returns the newest items of a cached list, as arrays [moment, id], newest first. Ids are texts: they have more than
 * 53 bits.
 */
export async function newestOf (key, count) {
  const [raw, floor] = await Promise.all([
    redis.zrange(key, '+inf', '(0', 'BYSCORE', 'REV', 'LIMIT', 0, count + ROOM, 'WITHSCORES'),
    redis.zscore(key, '0')
  ])
  const items = []
  for (let at = 0; at < raw.length && items.length < count && Number(raw[at + 1]) > Number(floor); at += 2) {
    items.push([Number(raw[at + 1]), raw[at]])
  }
  if (floor === null || (items.length < count && Number(floor) > 0)) throw new Error(`${key} is not cached`)
  return items
}

/** Merges lists of items. Returns the newest, without duplicates. Ids of equal length compare as texts. */
export function merged (lists, count) {
  const byId = new Map(lists.flat().map(item => [item[1], item]))
  return [...byId.values()].sort((a, b) => b[0] - a[0] || (a[1] < b[1] ? 1 : -1)).slice(0, count)
}
