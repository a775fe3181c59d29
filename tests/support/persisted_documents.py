"""Operations that clients name, and what they are answered where they are not executed."""

TYPE = "{ __typename }"
ANSWER = {"data": {"__typename": "Query"}}
ME = "query Me { viewer { id } }"
PAGE = 'query Page($n: Int = 2) { entity(business: "video", key: "v1") { title likers(first: $n) { nodes { id } } } }'
LIKE = 'mutation Like { like(input: {targetId: "Entity:video:v1"}) { userErrors { code } } }'

NOT_FOUND = 200, "PERSISTED_QUERY_NOT_FOUND", "PersistedQueryNotFound"
NOT_SUPPORTED = 200, "PERSISTED_QUERY_NOT_SUPPORTED", "PersistedQueryNotSupported"
NO_DOCUMENT = 404, "PERSISTED_QUERY_NOT_FOUND", "There is no persisted document with this id."
LOCKED = 403, "PERSISTED_QUERY_ONLY", "Only persisted operations run here, and this is none of them."
MISMATCH = 422, "BAD_INPUT", "provided sha does not match query"
