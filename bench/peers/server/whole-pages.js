/** Resolvers that make a whole page at once, whatever fields the query selects. This is the least possible work. */

import { home } from './home.js'
import { sign } from './images.js'
import * as posts from './posts.js'
import { square } from './square.js'
import { counted, reacted, reaction } from './values.js'

export const loaders = {}

export const resolvers = {
  Query: {
    square: async (_, { first }, { viewer }) => complete(viewer, await square(viewer, first), ofSquare)
  },
  Viewer: {
    home: async (viewer, { first }) => complete(viewer, await home(viewer, first), ofHome)
  }
}

async function complete (viewer, page, nodeOf) {
  const [texts, scores, authors] = await Promise.all([
    posts.counters(page.posts),
    posts.reactions(viewer, page.posts),
    posts.authors(viewer, page.posts, page.hidden)
  ])
  const nodes = page.posts.map((post, at) => {
    const text = texts[at]
    return nodeOf(post, JSON.parse(text), text, viewer, scores[at], posts.changeOf(post, page.pending), authors[at])
  })
  return { nodes, pageInfo: page.pageInfo }
}

const ofSquare = (post, counters, text, viewer, score, change, author) => ({
  id: `Post:${post.id}`,
  text: post.text,
  createdAt: posts.createdAt(post),
  likeCount: reacted(counters, text, 1, viewer, change),
  viewerReaction: reaction(score, change),
  author
})

const ofHome = (post, counters, text, viewer, score, change, author) => ({
  id: `Post:${post.id}`,
  text: post.text,
  createdAt: posts.createdAt(post),
  editedAt: posts.editedAt(post),
  likeCount: reacted(counters, text, 1, viewer, change),
  dislikeCount: reacted(counters, text, 2, viewer, change),
  viewCount: counted(counters, 3),
  shareCount: counted(counters, 4),
  viewerReaction: reaction(score, change),
  auditStatus: posts.auditStatus(post),
  topics: posts.topics(post),
  images: post.images.map(([url, alt]) => ({ url: sign(url), alt })),
  author
})
