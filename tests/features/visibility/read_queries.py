"""Every query that leads to a post or comment. `schema_paths.leading_fields` checks that none is missing."""

import re
from collections.abc import Iterable

SHOWN = """
fragment Shown on Node { __typename id
  ... on Post { text auditStatus author { handle } topics { name } commentCount rootCommentCount }
  ... on Comment { commentText: text auditStatus author { handle } repliedTo { handle } deleted replyCount } }
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

_LISTS = """
  square(~square) { ...Posts }
  hot: square(sort: HOT, ~hot) { ...Posts }
  topic(name: "hush") { postCount
    under: posts(~under) { ...Posts }
    hotUnder: posts(sort: HOT, ~hotUnder) { ...Posts } }
  author: user(handle: "alice") { postCount pinnedPosts { ...Shown } written: posts(~written) { ...Posts } }
  fan: user(handle: "bob") {
    posts: likes(~posts) { ...Liked }
    comments: likes(business: "comment", ~comments) { ...Liked } }
  waiting: moderationQueue(~waiting) @include(if: $queue) {
    nodes { ...Shown } edges { reason node { ...Shown } } pageInfo { ...Place } }
  viewer {
    home(~home) { ...Posts }
    recommended(~recommended) { ...Posts }
    feed: followedTopicsFeed(~feed) { ...Posts }
    unreadNotificationCount
    notified: notifications(~notified) {
      nodes { kind message subject { ...Shown } } edges { node { comment { ...Shown } } } pageInfo { ...Place } } }
  entity(business: "video", key: "open") { commentCount rootCommentCount
    newest: comments(sort: NEWEST, ~newest) { ...Comments }
    oldest: comments(sort: OLDEST, ~oldest) { ...Comments }
    hottest: comments(sort: HOT, ~hottest) { ...Comments } } }"""
_LISTED = re.findall(r"~(\w+)", _LISTS)
_VARIABLES = " ".join(f"${name}: String, ${name}First: Int! = 100," for name in _LISTED)
_PAGED = re.sub(r"~(\w+)", r"first: $\1First, after: $\1", _LISTS)
LISTS = f"query Lists({_VARIABLES} $queue: Boolean! = true) {{ {_PAGED} {SHOWN} {POSTS} {COMMENTS} {LIKED} {PLACE}"
"""All lists. `$<name>` is the cursor of a list, `$<name>First` its page size."""

_BOARDS = " ".join(
    f'{of}{window}: leaderboard(business: "{of}", window: {window}, first: 100) {{ node {{ ...Shown }} }}'
    for of in ("post", "comment")
    for window in ("DAY", "WEEK", "ALL")
)
BOARDS = f"query Boards {{ {_BOARDS} }} {SHOWN}"

SEARCH = f"""query Search {{
  best: searchPosts(query: "after:2000-01-01", first: 100) {{ nodes {{ ...Shown }} }}
  newest: searchPosts(query: "after:2000-01-01", sort: NEWEST, first: 100) {{ nodes {{ ...Shown }} }}
  comments: searchComments(subjectId: "Entity:video:open", query: "after:2000-01-01", first: 100) {{
    nodes {{ ...Shown }} edges {{ node {{ ...Shown }} }} }} }}
{SHOWN}"""

SAVED = f"""query Saved {{
  viewer {{ saved(first: 100) {{ nodes {{ target {{ ...Shown }} }} edges {{ node {{ target {{ ...Shown }} }} }} }}
    hiddenPosts(first: 100) {{ nodes {{ ...Shown }} edges {{ node {{ ...Shown }} }} }}
    statements(first: 100) {{ nodes {{ target {{ ...Shown }} }} edges {{ node {{ target {{ ...Shown }} }} }} }} }}
  user(handle: "bob") {{ collections {{ nodes {{ items(first: 100) {{ nodes {{ target {{ ...Shown }} }} }} }} }} }} }}
{SHOWN}"""

QUOTED = f"""query Quoted {{
  user(handle: "bob") {{ posts(first: 100) {{ nodes {{ quote {{ post {{ ...Shown }} }} }} }} }}
  viewer {{ home(first: 100) {{ nodes {{ quote {{ post {{ ...Shown }} }} }} }} }}
  square(first: 100) {{ nodes {{ quotes(first: 100) {{ nodes {{ ...Shown }} }} }} }} }}
{SHOWN}"""

NODES = (
    """query Nodes($ids: [ID!]!) { nodes(ids: $ids) { ...Shown
  ... on Reactable { likeCount dislikeCount likers { nodes { handle } }
    reactionCounts { count } reactors(kind: "like") { nodes { handle } } }
  ... on Comment { subject { ...Shown } root { ...Shown } parent { ...Shown } replies { nodes { ...Shown } } }
  ... on Commentable { pinnedComment { ...Shown }
    newest: comments(sort: NEWEST) { nodes { ...Shown } } comments { nodes { ...Shown } } } } }"""
    + SHOWN
)


def one_by_one(ids: Iterable[str]) -> str:
    """Returns a query with one `node` field per id."""
    fields = " ".join(f'n{i}: node(id: "{id_}") {{ ...Shown }}' for i, id_ in enumerate(ids))
    return f"query OneByOne {{ {fields} }} {SHOWN}"
