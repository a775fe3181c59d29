/**
 * A GraphQL server for some queries of Plaudit: Fastify and Mercurius with graphql-jit.
 *
 * PEER_RESOLVERS names the module with the resolvers of pages: whole-pages or each-field.
 */

import { readFileSync } from 'node:fs'
import fastify from 'fastify'
import mercurius from 'mercurius'
import { like } from './likes.js'
import { settings } from './settings.js'
import { viewerOf } from './sign-in.js'

const { resolvers, loaders } = await import(`./${process.env.PEER_RESOLVERS}.js`)
resolvers.Query.viewer = (_, __, { viewer }) => viewer
resolvers.Mutation = { like: (_, { input }, { viewer, ip }) => like(viewer, input.targetId, ip) }

const app = fastify()
app.register(mercurius, {
  schema: readFileSync(new URL('schema.graphql', import.meta.url), 'utf8'),
  resolvers,
  loaders,
  jit: 1,
  context: async request => ({ viewer: await viewerOf(request.headers.authorization), ip: request.ip })
})
app.get('/', async () => 'alive')
await app.listen({ host: settings.host, port: Number(process.env.PLAUDIT_PORT) })
