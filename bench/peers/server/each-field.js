/**
 * A resolver for each field, so that a query reads only what it selects. Loaders read for all posts of a page at once.
 * A request has one page.
 */

import { home } from './home.js'
import { sign } from './images.js'
import * as posts from './posts.js'
import { square } from './square.js'
import { counted, reacted, reaction } from './values.js'

export const resolvers = {
  Query: {
    square: async (_, { first }, context) => selected(context, await square(context.viewer, first))
  },
  Viewer: {
    home: async (viewer, { first }, context) => selected(context, await home(viewer, first))
  },
  Post: {
    id: post => `Post:${post.id}`,
    createdAt: posts.createdAt,
    editedAt: posts.editedAt,
    auditStatus: posts.auditStatus,
    topics: posts.topics,
    images: post => post.images.map(([url, alt]) => ({ url: sign(url), alt }))
  }
}

function selected (context, { posts, pending, hidden, pageInfo }) {
  Object.assign(context, { pending, hidden })
  return { nodes: posts, pageInfo }
}

/** Returns a loader of a field. Mercurius need not cache the values: no post is asked for twice. */
const loader = read => ({ loader: (queries, context) => read(queries.map(({ obj }) => obj), context), opts: { cache: false } })

/** Returns a loader of a counter. All counters of a page are read once. */
const counter = valueOf => loader(async (some, context) => {
  context.counters ??= posts.counters(some).then(texts => texts.map(text => [JSON.parse(text), text]))
  return (await context.counters).map((one, at) => valueOf(...one, context.viewer, posts.changeOf(some[at], context.pending)))
})

export const loaders = {
  Post: {
    likeCount: counter((counters, text, viewer, change) => reacted(counters, text, 1, viewer, change)),
    dislikeCount: counter((counters, text, viewer, change) => reacted(counters, text, 2, viewer, change)),
    viewCount: counter(counters => counted(counters, 3)),
    shareCount: counter(counters => counted(counters, 4)),
    viewerReaction: loader(async (some, { viewer, pending }) => {
      const scores = await posts.reactions(viewer, some)
      return scores.map((score, at) => reaction(score, posts.changeOf(some[at], pending)))
    }),
    author: loader((some, { viewer, hidden }) => posts.authors(viewer, some, hidden))
  }
}
