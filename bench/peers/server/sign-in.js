/** Signs users in with the tokens that Plaudit accepts. A token is verified once. */

import { createVerifier } from 'fast-jwt'
import { identity, StateKeys } from './keys.js'
import { redis } from './redis.js'
import { settings } from './settings.js'
import { textOf } from './values.js'

const MOST_TOKENS = 10_000
const verify = createVerifier({
  key: settings.jwtSecret,
  algorithms: ['HS256'],
  allowedIss: settings.jwtIssuer,
  cache: MOST_TOKENS
})
const known = new Map()

/** Returns the user of a request: the id and the keys of the user's state. */
export async function viewerOf (authorization) {
  const { iss, sub } = verify(authorization.slice('Bearer '.length))
  const name = `${iss} ${sub}`
  if (!known.has(name)) known.set(name, new StateKeys(textOf(await redis.get(identity(iss, sub)))))
  return known.get(name)
}
