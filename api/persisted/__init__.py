"""Operations that clients name instead of sending: by id from manifests, by hash once somebody has sent the text.

Enters: a `wire.GraphQLRequest`. Leaves: the text to execute, or an error that tells the client what to do.
Promised: an id and a hash mean one text for ever; what strangers send takes a bounded amount of memory and no trust.
"""
