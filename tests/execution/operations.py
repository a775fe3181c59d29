"""Operations for the difficult cases of compiled plans, each with several sets of variables."""

from typing import Any

from tests.execution.compared_executors import ComparedExecutors

Given = tuple[dict[str, Any], ...]
NOTHING: Given = ({},)

FRAGMENTS = {
    "fragments on interfaces": """query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id
        ... on Node { id __typename } ... on Reactable { likeCount viewerReaction ...Talked }
        ... on Commentable { viewCount opens: actionCount(action: "opens") actionCount(action: "plays") commentsClosed }
        ... on User { handle } ... on Viewer { user { handle } } } }
      fragment Talked on Commentable { shareCount commentsClosed ...Named }
      fragment Named on Entity { title key owner { ...Person } }
      fragment Person on User { handle displayName viewerRelation }""",
    "fragments that match no object": "query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Viewer { user { id } } } }",
    "fragments that fit some": "query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Entity { title } } }",
    "an interface within itself": """query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Reactable { ... on Commentable {
        ... on Node { ... on Entity { ... on Reactable { likeCount } } ... on User { handle } } } } } }""",
    "merged selections": """{ entity(business: "video", key: "v0") { id title
        owner { handle } owner { id bio } ...More owner { followers(first: 2) { nodes { id } } }
        likers(first: 2) { nodes { handle } } likers(first: 2) { edges { cursor node { id } } pageInfo {
      endCursor } } }
      entity(business: "video", key: "v0") { key owner { followers(first: 2) { nodes { handle } } } } }
      fragment More on Reactable { likers(first: 2) { nodes { displayName } edges { createdAt } } ... on Entity
      { url } }""",
    "merged lists": """query ($ids: [ID!]!) { nodes(ids: $ids) { id } nodes(ids: $ids) { ... on Entity { title
      } __typename }
      ...Again } fragment Again on Query { nodes(ids: $ids) { ... on User { bio handle } } }""",
    "aliases with different arguments": """query ($one: Int! = 1) {
      a: entity(business: "video", key: "v0") { one: likers(first: $one) { nodes { handle } }
        two: likers(first: 2) { nodes { handle } } all: likers { nodes { handle } }
        few: likedByFollowed(first: 1) { handle } some: likedByFollowed { handle } }
      b: entity(business: "video", key: "v1") { one: title likers(first: 1) { nodes { a: handle b: handle } } }
      c: user(handle: "bob") { v: likes(business: "video") { nodes { id } } a: likes(business: "article") {
      nodes { id } }
        p: likes { nodes { id } } } }""",
    "type names everywhere": """query ($ids: [ID!]!) { __typename me: __typename nodes(ids: $ids) { __typename
      kind: __typename
      ... on Entity { __typename likers { __typename nodes { __typename } edges { __typename node { __typename } }
        pageInfo { __typename } } owner { __typename } } } viewer { __typename user { __typename } } }""",
    "only type names": 'query { __typename entities(business: "video", keys: ["v0", "no"]) { __typename } }',
    "introspection beside data": '{ __schema { queryType { name } } entity(business: "video", key: "v0") { id } }',
    "introspection below": '{ __type(name: "User") { name } viewer { id } }',
}

LISTS = {
    "lists with nulls": """query ($keys: [String!]!, $people: [String!]!) {
      entities(business: "video", keys: $keys) { key title owner { handle bio } likers(first: 2) { nodes {
      handle } } }
      users(externalIds: $people) { handle avatarUrl } }""",
    "nodes with nulls": """query ($ids: [ID!]!) { nodes(ids: $ids) { id ... on User { handle likesReceivedCount
      followers { nodes { handle viewerRelation } } } ... on Entity { likeCount dislikeCount viewerReaction } } }""",
    "connections three deep": """{ alice: user(handle: "alice") { followers { edges { createdAt node { handle
      following(first: 2)
      { nodes { handle likes(business: "video", first: 2) { edges { node { id ... on Entity { owner { handle }
      } } cursor }
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } pageInfo { hasNextPage } } } } } } }""",
    "likers of what likers like": """{ entities(business: "video", keys: ["v0", "v1", "v2", "v3"]) { key likers
      { nodes { handle
      likes(business: "video") { nodes { id likers { edges { node { handle friends { nodes { handle } } } } } }
      } } } } }""",
    "empty pages": """{ user(handle: "newcomer") { followers { edges { cursor } nodes { id } pageInfo {
      startCursor endCursor
      hasNextPage hasPreviousPage } } following { nodes { id } } friends { nodes { handle followers { nodes {
      id } } } }
      likes { nodes { id } } } entity(business: "video", key: "v3") { likers { nodes { id } } likedByFollowed { id } }
      entities(business: "tiny", keys: []) { id } nodes(ids: []) { id } users(externalIds: []) { id } }""",
    "missing objects": """{ user(handle: "unknown_handle") { id followers { nodes { id } } } node(id: "User:7") { id }
      entity(business: "video", key: "zz") { id owner { id } likers { nodes { id } } } }""",
    "everything of the viewer": """{ viewer { id user { id handle displayName avatarUrl bio createdAt
      followerCount followingCount
      friendCount likesReceivedCount viewerRelation followers { nodes { handle viewerRelation friendCount } }
      following { nodes { viewerRelation } } friends { nodes { viewerRelation } } } } }""",
}

FAVOURITES = {
    "saves of the viewer": """query ($after: String) { viewer {
      saved(first: 3, after: $after) { edges { cursor node { savedAt } } nodes { targetId target { id saveCount
      viewerSaved ... on Comment { text deleted author { handle } } ... on Entity { title } } collection { id name } }
      pageInfo { hasNextPage endCursor } } posts: saved(kind: POST) { nodes { target { ... on Post { text custom
      } } } } comments: saved(kind: COMMENT) { nodes { targetId target { __typename } } } } }""",
    "collections": """query ($after: String) { viewer { collections(first: 2, after: $after) { edges { cursor node { id
      name isPublic createdAt owner { handle } items(first: 1, after: $after) { nodes { targetId target { id } }
      pageInfo { hasNextPage endCursor } } } } } } alice: user(handle: "alice") { collections { nodes { name
      all: items { nodes { target { __typename saveCount } } } some: items(kind: ENTITY) { nodes { targetId } } } } }
      bob: user(handle: "bob") { collections { nodes { name items { nodes { targetId } } } } } }""",
    "saves on pages": """query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Reactable { saveCount viewerSaved }
      ... on Collection { name isPublic items(first: 2) { nodes { savedAt } } } }
      square { nodes { saveCount viewerSaved } } viewer { home { nodes { saveCount viewerSaved } } } }""",
    "pins and policies": """query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Commentable { commentPolicy
      viewerCanComment commentsClosed pinnedComment { id text isPinned subject { id } saveCount } comments(first: 2)
      { nodes { id isPinned } } } ... on User { pinnedPosts { id text author { handle } viewerSaved } } } }""",
    "pins on lists": """{ square(first: 4) { nodes { commentPolicy viewerCanComment pinnedComment { text author { handle
      pinnedPosts { text } } } author { pinnedPosts { id } } } } }""",
    "custom data": """query ($ids: [ID!]!) { nodes(ids: $ids) { ... on User { custom } ... on Entity { custom }
      ... on Post { custom comments(sort: NEWEST) { nodes { custom } } } ... on Comment { custom } } }""",
    "comments and replies": """query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Commentable { commentCount
      rootCommentCount hot: comments { nodes { ...Said replies { edges { cursor node { ...Said root { id } parent {
      text } repliedTo { handle } } } pageInfo { hasNextPage } } } } oldest: comments(sort: OLDEST, first: 1) { nodes {
      ...Said } pageInfo { endCursor hasNextPage } } } ... on Comment { ...Said subject { __typename id } } } }
      fragment Said on Comment { id text deleted floor replyCount author { handle } images { url } editedAt isPinned
      auditStatus }""",
}

ERRORS = {
    "root errors": """query ($ids: [ID!]!, $keys: [String!]!) { bad: user(handle: "!") { id } good:
      user(handle: "bob") { id }
      node(id: "no id") { id } many: nodes(ids: $ids) { id } entity(business: "nothing", key: "v0") { id }
      key: entity(business: "video", key: "a b") { id } entities(business: "video", keys: $keys) { id } }""",
    "bad pages at the root": """{ user(handle: "bob") { zero: followers(first: 0) { nodes { id } }
      many: followers(first: 101) { nodes { id } } bad: followers(after: "nonsense") { nodes { id } } handle
      none: likes(business: "nothing") { nodes { id } } } }""",
    "bad pages of each": """query ($after: String) { entities(business: "video", keys: ["v0", "no", "v1", "v2"]) { key
      likers(after: $after) { nodes { handle } } zero: likers(first: 0) { nodes { id } } likedByFollowed(first:
      0) { id } } }""",
    "bad pages of saves": """query ($after: String) { viewer { saved(after: $after) { nodes { targetId } }
      zero: saved(first: 0) { nodes { targetId } } collections(after: $after) { nodes { items(first: 101) { nodes {
      targetId } } } } } user(handle: "alice") { collections { nodes { name items(after: $after) { nodes { targetId
      } } } } } }""",
    "bad pages below pages": """query ($after: String) { entities(business: "video", keys: ["v0", "v1"]) {
      likers { nodes { handle
      followers(after: $after) { nodes { id } } edges: likes(business: "video") { edges { node { id ... on Entity {
        likers(after: $after) { nodes { id } } } } } } } } } }""",
    "huge numbers": """{ user(handle: "bob") { followers(first: 2147483647) { nodes { id } } } node(id:
      "User:9223372036854775807") { id } }""",
    "numbers too large": '{ user(handle: "bob") { followers(first: 2147483648) { nodes { id } } } }',
    "a number as an id": "{ node(id: 99999999999999999999999999) { id } }",
    "invalid": "{ user(handle: 3) { nothing } }",
    "unreadable": "{ user(",
}

VARIABLES = {
    "directives with literals": """{ entity(business: "video", key: "v0") { id title @skip(if: true) key
      @include(if: false)
      url @include(if: true) owner @skip(if: false) { handle } ... @include(if: false) { likeCount }
      ... on Node @skip(if: true) { dislikeCount: id } } viewer @skip(if: true) { id } }""",
    "nothing left of an object": '{ entities(business: "video", keys: ["v0", "no", "v1"]) { id @skip(if: true) } }',
    "nothing left of one object": '{ entity(business: "video", key: "v0") { id @skip(if: true) } }',
    "nothing left at all": "{ viewer @skip(if: true) { id } }",
    "directives with variables": """query ($a: Boolean!, $b: Boolean = true) { entity(business: "video", key: "v0") {
      id title @include(if: $a) key @skip(if: $b) ...Owned @include(if: $a) likers(first: 2) @skip(if: $a) {
      nodes { handle } }
      } viewer @include(if: $b) { id } } fragment Owned on Entity { owner { handle @include(if: $b) bio } }""",
    "an argument left out": """query ($first: Int, $after: String) { user(handle: "alice") {
      followers(first: $first, after: $after) { nodes { handle } pageInfo { hasPreviousPage } } } }""",
    "an argument with a default": """query ($first: Int! = 2, $after: String = "nonsense", $business: String! =
      "video") {
      user(handle: "alice") { followers(first: $first, after: $after) { nodes { handle } }
        likes(business: $business, first: $first) { nodes { id } } } }""",
    "a variable within a list": """query ($k: String!) { entities(business: "video", keys: ["v0", $k, "v3"]) {
      key title } }""",
    "a single value for a list": 'query ($k: [String!]! = "v1") { entities(business: "video", keys: $k) { key } }',
}
FLAGS: Given = tuple(
    {name: value for name, value in (("a", a), ("b", b)) if value != "left out"}
    for a in (True, False)
    for b in (True, False, "left out", None)
)
PAGES: Given = (
    {},
    {"first": None},
    {"first": 1},
    {"first": 2, "after": None},
    {"after": "nonsense"},
    {"first": 10**12},
)


def operations(executors: ComparedExecutors) -> list[tuple[str, Given]]:
    """Returns each document with its sets of variables."""
    some = [*executors.ids, "User:7", "Entity:video:zz", "Entity:podcast:v0"]
    users = [id_ for id_ in executors.ids if id_.startswith("User:")]
    ids = {"ids": some, "keys": ["v0", "zz", "v1", "v0"], "people": ["alice", "no one", "bob", "alice"]}
    cursors: Given = (*NOTHING, *({"after": one} for one in executors.cursors))
    of_saves: Given = (*NOTHING, *({"after": one} for one in [*executors.saved_cursors, executors.cursors[0]]))
    sent: dict[str, Given] = {
        "fragments that match no object": ({"ids": users}, {"ids": some}, {"ids": []}),
        "fragments that fit some": ({"ids": users}, {"ids": some}, {"ids": [executors.ids[0]]}),
        "root errors": ({"ids": ["User:7"] * 101, "keys": ["v"] * 101}, {"ids": ["User:7", "no id"], "keys": ["a b"]}),
        "bad pages of each": ({"after": None}, {"after": "nonsense"}, *cursors),
        "saves of the viewer": of_saves,
        "collections": of_saves,
        "bad pages of saves": ({"after": "nonsense"}, *of_saves),
        "bad pages below pages": ({"after": ""}, *cursors),
        "directives with variables": FLAGS,
        "an argument left out": (*PAGES, *cursors),
        "an argument with a default": (*PAGES, {"business": "article"}, {"business": None}),
        "a variable within a list": ({"k": "v1"}, {"k": "zz"}, {"k": ""}, {"k": None}, {}),
        "a single value for a list": ({}, {"k": "v2"}, {"k": ["v0", "zz"]}, {"k": []}, {"k": [None]}),
    }
    return [
        (query, sent.get(name) or ((ids,) if "$ids" in query or "$keys" in query else NOTHING))
        for name, query in (FRAGMENTS | LISTS | FAVOURITES | ERRORS | VARIABLES).items()
    ]
