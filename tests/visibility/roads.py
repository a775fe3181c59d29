"""Every road to a post or comment, as documents. Which roads there have to be, the schema says (`paths.leading`)."""

from collections.abc import Iterable

SHOWN = """
fragment Shown on Node { __typename id
  ... on Post { text auditStatus author { handle } topics { name } commentCount rootCommentCount }
  ... on Comment { said: text auditStatus author { handle } repliedTo { handle } deleted replyCount } }
"""
POSTS = """
fragment Posts on PostConnection { nodes { ...Shown } edges { reason node { ...Shown } } pageInfo { ...Place } }
"""
COMMENTS = """
fragment Comments on CommentConnection { nodes { ...Shown } edges { node { ...Shown } } pageInfo { ...Place } }
"""
LIKED = """
fragment Liked on ReactableConnection { nodes { ...Shown } edges { node { ...Shown } } pageInfo { ...Place } }
"""
PLACE = """
fragment Place on PageInfo { hasNextPage endCursor }"""

LISTS = (
    """query Lists($first: Int! = 100, $square: String, $hot: String, $under: String, $hotUnder: String,
  $written: String, $posts: String, $comments: String, $waiting: String, $home: String, $recommended: String,
  $told: String, $newest: String, $oldest: String, $hottest: String,
  $queue: Boolean! = true) {
  square(first: $first, after: $square) { ...Posts }
  hot: square(sort: HOT, first: $first, after: $hot) { ...Posts }
  topic(name: "hush") { postCount
    under: posts(first: $first, after: $under) { ...Posts }
    hotUnder: posts(sort: HOT, first: $first, after: $hotUnder) { ...Posts } }
  author: user(handle: "alice") { postCount written: posts(first: $first, after: $written) { ...Posts } }
  fan: user(handle: "bob") {
    posts: likes(first: $first, after: $posts) { ...Liked }
    comments: likes(business: "comment", first: $first, after: $comments) { ...Liked } }
  waiting: moderationQueue(first: $first, after: $waiting) @include(if: $queue) {
    nodes { ...Shown } edges { reason node { ...Shown } } pageInfo { ...Place } }
  viewer {
    home(first: $first, after: $home) { ...Posts }
    recommended(first: $first, after: $recommended) { ...Posts }
    unreadNotificationCount
    told: notifications(first: $first, after: $told) {
      nodes { kind message subject { ...Shown } } edges { node { subject { ...Shown } } } pageInfo { ...Place } } }
  entity(business: "video", key: "open") { commentCount rootCommentCount
    newest: comments(sort: NEWEST, first: $first, after: $newest) { ...Comments }
    oldest: comments(sort: OLDEST, first: $first, after: $oldest) { ...Comments }
    hottest: comments(sort: HOT, first: $first, after: $hottest) { ...Comments } } }"""
    + SHOWN
    + POSTS
    + COMMENTS
    + LIKED
    + PLACE
)
"""All lists, each with a name of its own, which is that of its cursor's variable too."""

_BOARDS = " ".join(
    f'{of}{window}: leaderboard(business: "{of}", window: {window}, first: 100) {{ node {{ ...Shown }} }}'
    for of in ("post", "comment")
    for window in ("DAY", "WEEK", "ALL")
)
BOARDS = f"query Boards {{ {_BOARDS} }} {SHOWN}"

NODES = (
    """query Nodes($ids: [ID!]!, $first: Int! = 100) { nodes(ids: $ids) { ...Shown
  ... on Comment { subject { ...Shown } root { ...Shown } parent { ...Shown } replies(first: $first) { ...Comments } }
  ... on Commentable { newest: comments(sort: NEWEST, first: $first) { ...Comments }
    oldest: comments(sort: OLDEST, first: $first) { ...Comments }
    hottest: comments(first: $first) { ...Comments } } } }"""
    + SHOWN
    + COMMENTS
    + PLACE
)


def one_by_one(ids: Iterable[str]) -> str:
    """The same things by `node`."""
    roads = " ".join(f'n{i}: node(id: "{id_}") {{ ...Shown }}' for i, id_ in enumerate(ids))
    return f"query OneByOne {{ {roads} }} {SHOWN}"
