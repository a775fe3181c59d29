// The tabs of a first visit. They use the seeded community: videos bv-001 …, users alice, bob, carol and dave.
// Comments stay under 54 columns: that much of the editor shows on a laptop.

const video = `# Plaudit counts reactions to anything: here, to a
# video that another system owns.
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

const reactions = `# Sign in first: choose a user above. Anonymous
# readers cannot react. Then the play button asks
# which of the two operations to run.
#
# The counts in the answer include your reaction.
# Liking twice changes nothing.

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

const page = `# Counts and your own reactions are read for the whole
# page at once, however long it is.

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

const people = `# If you are signed in, viewerRelation says who of you
# follows the other. To follow this person, copy the
# id out of the answer into Variables, below.

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

const personVariables = `{
  "handle": "erin",
  "userId": "User:…"
}
`;

const posts = `# Sign in first: choose a user above. Home has posts
# of the people you follow, the square has everyone's.
# You see your own post on both at once. Others see it
# after moderation has approved it, a moment later.

query Home {
  viewer {
    home(first: 10) {
      nodes {
        ...Shown
      }
    }
  }
}

# If you send a key again, you get the post that you
# published with it, and no second one.
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

const comments = `# The best comments first, each with its replies. You
# see your own comment at once. To reply to it or to
# delete it, copy its id into Variables, below.

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

# A deleted comment with replies keeps its place.
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
  floor # null until the comment is approved
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

const ranked = `# Sign in first for Recommended: choose a user above.
# It picks posts for you and says why. Hot and
# MostLikedOfTheWeek are the same for everyone.

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

const notifications = `# Sign in first: choose a user above. Similar events
# are grouped into one notification. To mark them as
# read, copy an edge's cursor into Variables, below:
# later notifications stay unread.

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

const watch = `# A subscription stays open. Like the video in another
# window, and see the count change here.

subscription Watch {
  reactableChanged(ids: ["Entity:video:bv-001"]) {
    id
    likeCount
    viewerReaction
  }
}
`;

const moderation = `# Choose the user "moderator" above: the queue
# needs a token with the scope "moderate". Copy the
# id of a post into Variables, below, and decide.

query Queue {
  moderationQueue(first: 5) {
    edges {
      reason
      node {
        id
        ... on Post {
          text
        }
      }
      case {
        sources
        openedAt
        reportCount
        author {
          handle
        }
        authorRecord {
          rejectedCount
        }
      }
    }
  }
}

mutation Decide($id: ID!) {
  moderate(
    input: {
      targetId: $id
      decision: APPROVE
      reason: "Harmless"
    }
  ) {
    target {
      id
    }
    userErrors {
      code
      message
    }
  }
}
`;

const decided = `{
  "id": "the id of a post in the queue"
}
`;

export const tabs = [
  { query: video },
  { query: reactions },
  { query: page },
  { query: people, variables: personVariables },
  { query: posts },
  { query: comments, variables: commented },
  { query: ranked },
  { query: notifications, variables: seen },
  { query: watch },
  { query: moderation, variables: decided },
];
