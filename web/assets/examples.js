// The tabs of a first visit. They use the seeded community: videos bv-001 …, users alice, bob, carol and dave.
// Comments stay under 54 columns: that much of the editor shows on a laptop.

const video = `# Plaudit keeps what people think of anything:
# here, of a video that another system owns.
#
#   Ctrl-Enter   run
#   Ctrl-Space   complete
#   book icon    the whole schema, with its docs

query Video {
  entity(business: "video", key: "bv-001") {
    id
    title
    likeCount
    dislikeCount
    viewerReaction # null: signed out, or no opinion
  }
}
`;

const reactions = `# Sign in first (top right): anonymous visitors
# read, but do not react. Then the play button asks
# which of the two to run.
#
# The answer counts your own reaction already, and
# liking twice changes nothing.

mutation Like {
  like(input: { targetId: "Entity:video:bv-001" }) {
    ...Reacted
  }
}

mutation Unlike {
  unlike(input: { targetId: "Entity:video:bv-001" }) {
    ...Reacted
  }
}

fragment Reacted on ReactPayload {
  target {
    id
    likeCount
    viewerReaction
  }
  userErrors {
    code
    message
  }
}
`;

const page = `# Counts and your own reactions are fetched for the
# whole page at once, however long it is.

query Page {
  viewer {
    user {
      handle
      displayName
    }
  }
  entities(
    business: "video"
    keys: ["bv-001", "bv-002", "bv-003", "bv-404"]
  ) {
    id
    title
    likeCount
    viewerReaction
  }
}
`;

const people = `# Signed in, you also see what this person and you
# are to each other. To follow them, copy the id out
# of the answer into Variables, below.

query Person($handle: String!) {
  user(handle: $handle) {
    id
    displayName
    likesReceivedCount
    followerCount
    viewerRelation
  }
}

mutation Follow($userId: ID!) {
  follow(input: { userId: $userId }) {
    ...Followed
  }
}

mutation Unfollow($userId: ID!) {
  unfollow(input: { userId: $userId }) {
    ...Followed
  }
}

fragment Followed on FollowPayload {
  user {
    followerCount
    viewerRelation
  }
  userErrors {
    code
    message
  }
}
`;

const somebody = `{
  "handle": "erin",
  "userId": "User:…"
}
`;

const posts = `# Home is what those write whom you follow, the
# square what everybody does. Your own post is on both
# at once for you, and for others when moderation has
# looked at it, a moment later.

query Home {
  viewer {
    home(first: 10) {
      nodes {
        ...Shown
      }
    }
  }
}

# Whoever uses a key again gets the post that they
# published under it.
mutation Publish {
  publishPost(
    input: {
      text: "Hello, square!"
      topics: ["smallthings"]
      idempotencyKey: "my first post"
    }
  ) {
    post {
      ...Shown
      auditStatus
    }
    userErrors {
      code
      message
    }
  }
}

query Square {
  square(first: 10) {
    nodes {
      ...Shown
    }
  }
}

fragment Shown on Post {
  id
  text
  topics {
    name
  }
  author {
    handle
    displayName
  }
  likeCount
  viewerReaction
  createdAt
}
`;

const comments = `# Best first, each with what is said below it. Your own
# comment is there at once; copy its id out of the
# answer into Variables, below, to reply or delete.

query HottestComments {
  entity(business: "video", key: "bv-010") {
    title
    commentCount
    comments(sort: HOT, first: 5) {
      nodes {
        ...Said
        replyCount
        replies(first: 3) {
          nodes {
            ...Said
            repliedTo {
              handle
            }
          }
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}

mutation Comment {
  addComment(
    input: {
      subjectId: "Entity:video:bv-010"
      text: "I was here."
      idempotencyKey: "my first comment"
    }
  ) {
    comment {
      ...Said
    }
    userErrors {
      code
      message
    }
  }
}

mutation Reply($commentId: ID!) {
  addComment(
    input: {
      subjectId: "Entity:video:bv-010"
      replyToId: $commentId
      text: "And I would come again."
      idempotencyKey: "my first reply"
    }
  ) {
    comment {
      ...Said
    }
    userErrors {
      code
      message
    }
  }
}

# What has replies keeps its place above them.
mutation Delete($commentId: ID!) {
  deleteComment(input: { commentId: $commentId }) {
    comment {
      ...Said
    }
    userErrors {
      code
      message
    }
  }
}

fragment Said on Comment {
  id
  floor # null until everybody may see it
  text
  author {
    handle
  }
  likeCount
  viewerReaction
  deleted
  createdAt
}
`;

const commented = `{
  "commentId": "Comment:…"
}
`;

const ranked = `# What people like: best first, or picked for who is
# signed in, with the reason in words.

query Recommended {
  viewer {
    recommended(first: 10) {
      edges {
        reason
        node {
          ...Shown
        }
      }
    }
  }
}

query Hot {
  square(sort: HOT, first: 10) {
    nodes {
      ...Shown
    }
  }
}

query MostLikedOfTheWeek {
  leaderboard(window: WEEK, first: 10) {
    rank
    score
    node {
      ...Shown
    }
  }
}

fragment Shown on Post {
  id
  text
  topics {
    name
  }
  author {
    handle
  }
  likeCount
  createdAt
}
`;

const notifications = `# What others did with yours, alike things as one.
# Seen down to an edge's cursor, in Variables, below,
# they are read: what comes later is not.

query Notifications {
  viewer {
    unreadNotificationCount
    notifications(first: 10) {
      edges {
        cursor
        node {
          kind
          message
          actors {
            handle
          }
          actorCount
          subject {
            id
          }
          updatedAt
          read
        }
      }
    }
  }
}

mutation Read($upTo: String!) {
  markNotificationsRead(input: { upTo: $upTo }) {
    viewer {
      unreadNotificationCount
    }
  }
}
`;

const seen = `{
  "upTo": "the cursor of the newest that you saw"
}
`;

const watch = `# Stays open: like the video in another window, and
# see it change here.

subscription Watch {
  reactableChanged(ids: ["Entity:video:bv-001"]) {
    id
    likeCount
    viewerReaction
  }
}
`;

export const tabs = [
  { query: video },
  { query: reactions },
  { query: page },
  { query: people, variables: somebody },
  { query: posts },
  { query: comments, variables: commented },
  { query: ranked },
  { query: notifications, variables: seen },
  { query: watch },
];
