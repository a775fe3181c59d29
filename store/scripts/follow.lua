#!lua
-- Follows or unfollows a user, or asks a private user for permission to follow, in one atomic step: idempotency, current
-- state, limit, pending, journal (F1, F7, W1). Also accepts or rejects such a request: then the actor is the user who
-- asked, in whose slot the follow is.
--
-- KEYS  1 journal   2 the actor's follow set   3 the actor's pending follows   4 idempotency record
--       5 the actor's blocks   6 users who block the actor   7 the count of the actor's records
--       8 the journal's generation
-- ARGV  1 state: 1 to follow, 0 to unfollow, 2 to ask      2 the other user's id          3 pending field
--       4 fingerprint of the input             5 idempotency record's life, ms
--       6 limit: how many users one may follow 7 idle life of the set, ms      8 bound of the journal
--       9 '?' if the follow set cannot be read because Postgres is down, else ''
--      10 the journal entry's data
--      11 '1': the other user accepts (state 1) or rejects (state 0) the actor's request; else '0'
--      12 the caller's generation
-- Returns { 'DONE', outcome }  { 'REPLAY', outcome }  { 'COLD', ms, what }  { 'BLOCKED' }  { 'LIMIT' }  { 'MISMATCH' }
--         { 'FULL' }  { 'BUSY' }  { 'MOVED' }  { 'ABSENT' }
--         The outcome is 'OK', followed by the id of the journal entry if anything was changed.
--         Only DONE changes anything. COLD asks the caller to load the follow set or the boundaries into the cache, as
--         of this clock; what: 'follows' | 'boundaries'.
--         With '?', the change is written without the follow set; the worker finds out from rows what it changed.
--         ABSENT: there is no request to accept, and the actor does not follow the user.
--
-- The follow set maps users to moments. The moment of a follow is positive, that of a request negative. The set is
-- complete if it has the member '0'. For the sets of boundaries, see set_boundary.lua and receive_boundary.lua.
local journal, follows, pending, record = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local state, followee, field, fingerprint, life = tonumber(ARGV[1]), ARGV[2], ARGV[3], ARGV[4], ARGV[5]

local answer = answered(record, fingerprint)
if answer then return answer end
local complete = redis.call('ZSCORE', follows, '0')
if not complete and ARGV[9] ~= '?' then return { 'COLD', string.format('%.0f', now_ms()), 'follows' } end
if state ~= 0 then
  local blocks, mark = redis.call('ZMSCORE', KEYS[5], '0', followee), redis.call('ZMSCORE', KEYS[6], '0', followee)
  if blocks[2] or tonumber(mark[2] or 0) > 0 then return { 'BLOCKED' } end
  if not (blocks[1] and (mark[1] or mark[2])) then return { 'COLD', string.format('%.0f', now_ms()), 'boundaries' } end
end

local history = redis.call('HGET', pending, field)
local was = follow_state(history, follows, followee)
local answers = ARGV[11] == '1'
if answers and state == 1 and was == 0 then return { 'ABSENT' } end
if state == was or state == 2 and was == 1 or answers and was ~= 2 then
  remember(record, fingerprint, life)
  return { 'DONE', 'OK' }
end

if was == 0 and redis.call('ZCARD', follows) - 1 >= tonumber(ARGV[6]) then return { 'LIMIT' } end
if redis.call('XLEN', journal) >= tonumber(ARGV[8]) then return { 'FULL' } end
if busy(history) then return { 'BUSY' } end

local blind = was == '?' and { 'was', was } or {}
local id = append(journal, record, 'kind', 'follow', 'state', state, 'data', ARGV[10], unpack(blind))
if state == 0 then
  redis.call('ZREM', follows, followee)
else
  redis.call('ZADD', follows, string.format('%.0f', moment_of(id) * (state == 1 and 1 or -1)), followee)
end
redis.call('PEXPIRE', follows, ARGV[7])
redis.call('HSET', pending, field, (history or was) .. ' ' .. id .. '=' .. state)
remember(record, fingerprint, life, ' ' .. id)
return { 'DONE', 'OK ' .. id }
