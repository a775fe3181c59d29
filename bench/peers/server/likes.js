/** Likes: the cached entity, the script of Plaudit, and the values of the answer. */

import { randomBytes } from 'node:crypto'
import { hiddenFrom } from './hidden.js'
import * as keys from './keys.js'
import { redis } from './redis.js'
import { settings } from './settings.js'
import { REACTIONS, reacted, textOf, valueOf } from './values.js'

const RECORD_MS = 60_000
const CLOCK_SKEW_MS = 600_000
/** The kinds of changes that can concern the counters of an entity. */
const COUNTED = ['content_follow', 'react', 'save', 'view', 'share']
const ENTITY = /"entity_id":(\d+)/
const OWNER = /"owner_id":(\d+|null)/

/** Likes an entity, for a viewer whose reactions are cached. */
export async function like (viewer, targetId, ip) {
  const [, name, key] = targetId.split(':')
  const business = settings.businesses[name]
  const [found, profile, hidden] = await Promise.all([
    redis.get(keys.entity(business.id, key)),
    redis.get(keys.user(viewer.id)),
    hiddenFrom(viewer)
  ])
  const document = textOf(found)
  const entity = { id: ENTITY.exec(document)[1], owner: OWNER.exec(document)[1] }
  if (valueOf(profile).suspended !== null) throw new Error('the viewer is suspended')
  if (hidden.has(entity.owner)) throw new Error('the owner of the entity is hidden')
  const [[, state, , histories], [counts]] = await Promise.all([
    write(viewer, business, entity, ip),
    redis.mget(keys.counts(business.id, entity.id))
  ])
  const text = textOf(counts)
  const likeCount = reacted(JSON.parse(text), text, 1, viewer, histories[COUNTED.indexOf('react')])
  return { target: { id: targetId, likeCount, viewerReaction: REACTIONS[state] }, userErrors: [] }
}

/** Runs the script. Returns its answer: `DONE`, the reaction, and the pending changes of the entity after the like. */
async function write (viewer, business, entity, ip) {
  const fingerprint = randomBytes(16).toString('hex')
  const answer = await redis.change(
    viewer.journal, viewer.reactions(business.id), viewer.reactionStates(business.id), viewer.pending,
    viewer.operation(fingerprint), viewer.records, viewer.generation,
    'react', entity.id, `react:${business.id}:${entity.id}`, fingerprint, RECORD_MS,
    1, '', '', oldestMoment(entity.id), '', 0, settings.pendingMs,
    business.recentReactions, '', business.reactionsIdleMs, settings.journalMaxEntries,
    '', 0, '', '', '', '', '', '', entry(viewer, business, entity, ip), '',
    ...COUNTED.map(kind => `${kind}:${business.id}:${entity.id}`), 0
  )
  if (answer[0] !== 'DONE') throw new Error(`the like was not written: ${answer}`)
  return answer
}

/** Returns the JSON of a journal entry. Ids are written as the integers that they are. */
const entry = (viewer, business, entity, ip) =>
  `{"actor":${viewer.id},"verb":"like","business":${business.id},"entity":${entity.id},"owner":${entity.owner},` +
  `"source":null,"ip":"${ip}","device":null,"client":null}`

/** Returns the lowest moment that a reaction to an entity can have. */
const oldestMoment = id => 1024 * (Number(BigInt(id) >> 22n) + settings.idEpochMs - CLOCK_SKEW_MS)
