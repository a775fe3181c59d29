#!lua
-- Blocks, unblocks, mutes or unmutes a user, or mutes or unmutes a thread, in one atomic step: idempotency, current
-- state, limit, pending, journal. A block also ends the actor's follow of the blocked user, or the request to follow
-- (follow.lua).
--
-- KEYS  1 journal   2 the actor's blocks, mutes or muted threads   3 the actor's pending ones of all three kinds
--       4 idempotency record   5 the stamp of the actor's boundaries   6 the actor's follow set
--       7 the actor's pending follows   8 the count of the actor's records   9 the journal's generation
-- ARGV  1 kind: block | mute | thread
--       2 state: 1 to block a user or mute a thread, 0 to end it; for a mute of a user, the ms since the Unix epoch
--         when it ends, 0 to end it now
--       3 the other user's id; of a thread, business:id   4 pending field   5 fingerprint of the input
--       6 idempotency record's life, ms   7 limit: how many boundaries of this kind may stand
--       8 idle life of the set, ms   9 bound of the journal
--      10 pending field of a follow of the other user; '' unless the kind is block   11 the journal entry's data
--      12 the caller's generation
-- Returns { 'DONE', outcome }  { 'REPLAY', outcome }  { 'COLD', ms }  { 'LIMIT' }  { 'MISMATCH' }  { 'FULL' }  { 'BUSY' }
--         { 'MOVED' }
--         The outcome is 'OK', followed by the journal id if something changed. Only DONE changes anything.
--         COLD asks the caller to load the boundaries, as of this clock.
--
-- The set holds user or thread -> moment of the change; of a mute of a user, its end in ms. It is complete if it has the
-- member '0'.
local journal, set, pending, record, stamp = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local follows, pending_follows = KEYS[6], KEYS[7]
local kind, state, member, field, fingerprint = ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV[4], ARGV[5]
local follow_field = ARGV[10]

local answer = answered(record, fingerprint)
if answer then return answer end
local now = now_ms()
if not redis.call('ZSCORE', set, '0') then return { 'COLD', string.format('%.0f', now) } end

local function latest(history) return tonumber(history:match('=(%d+)$')) end
local history, score = redis.call('HGET', pending, field), tonumber(redis.call('ZSCORE', set, member))
local was = history and latest(history) or score and (kind == 'mute' and score or 1) or 0
if state == was then
  remember(record, fingerprint, ARGV[6])
  return { 'DONE', 'OK' }
end

if state > 0 then
  local stands = redis.call('ZCOUNT', set, kind == 'mute' and '(' .. now or '(0', '+inf')
  local is_new = was == 0 or kind == 'mute' and was <= now
  if is_new and stands >= tonumber(ARGV[7]) then return { 'LIMIT' } end
end
if redis.call('XLEN', journal) >= tonumber(ARGV[9]) then return { 'FULL' } end
local follow_history = follow_field ~= '' and redis.call('HGET', pending_follows, follow_field)
if busy(history) or busy(follow_history) then return { 'BUSY' } end

local followed = 0
if kind == 'block' and state > 0 then followed = follow_state(follow_history, follows, member) end

local id = append(journal, record, 'kind', kind, 'state', ARGV[2], 'unfollows', followed == 0 and 0 or 1, 'data', ARGV[11])
if state == 0 then
  redis.call('ZREM', set, member)
else
  redis.call('ZADD', set, string.format('%.0f', kind == 'mute' and state or moment_of(id)), member)
end
if kind == 'mute' then redis.call('ZREMRANGEBYSCORE', set, '(0', now) end -- mutes that have ended
redis.call('PEXPIRE', set, ARGV[8])
redis.call('HSET', pending, field, (history or string.format('%.0f', was)) .. ' ' .. id .. '=' .. ARGV[2])
if followed ~= 0 then
  redis.call('ZREM', follows, member)
  redis.call('HSET', pending_follows, follow_field, (follow_history or followed) .. ' ' .. id .. '=0')
end
redis.call('SET', stamp, id, 'XX', 'KEEPTTL')
remember(record, fingerprint, ARGV[6], ' ' .. id)
return { 'DONE', 'OK ' .. id }
