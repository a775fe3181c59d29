#!lua
-- Follows or unfollows a user in one atomic step: idempotency, current state, limit, pending, journal (F1, F7, W1).
--
-- KEYS  1 journal   2 the actor's follow set   3 the actor's pending follows   4 idempotency record
--       5 the actor's blocks   6 users who block the actor   7 the journal's generation
-- ARGV  1 state: 1 to follow, 0 to unfollow    2 the followed user's id        3 pending field
--       4 fingerprint of the input             5 idempotency record's life, ms
--       6 limit: how many users one may follow 7 idle life of the set, ms      8 bound of the journal
--       9 '?' if nothing can be read because Postgres is down, else ''
--      10 the journal entry's data            11 the caller's generation
-- Returns { 'DONE' }  { 'REPLAY', outcome }  { 'COLD', ms, what }  { 'BLOCKED' }  { 'LIMIT' }  { 'MISMATCH' }  { 'FULL' }
--         { 'BUSY' }  { 'MOVED' }
--         Only DONE changes anything. COLD asks the caller to load the follow set or the boundaries into the cache, as
--         of this clock; what: 'follows' | 'boundaries'.
--         With '?', the change is written without the current state; the worker finds out from rows what it changed.
--
-- The set holds followed user -> moment, and is complete if it has the member '0'. For the sets of boundaries, see
-- set_boundary.lua and receive_boundary.lua.
local journal, follows, pending, record = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local state, followee, field, fingerprint, life = tonumber(ARGV[1]), ARGV[2], ARGV[3], ARGV[4], ARGV[5]

local answer = answered(record, fingerprint)
if answer then return answer end
local complete = redis.call('ZSCORE', follows, '0')
if not complete and ARGV[9] ~= '?' then return { 'COLD', string.format('%.0f', now_ms()), 'follows' } end
if state == 1 then
  local blocks, mark = redis.call('ZMSCORE', KEYS[5], '0', followee), redis.call('ZMSCORE', KEYS[6], '0', followee)
  if blocks[2] or tonumber(mark[2] or 0) > 0 then return { 'BLOCKED' } end
  if ARGV[9] ~= '?' and not (blocks[1] and (mark[1] or mark[2])) then
    return { 'COLD', string.format('%.0f', now_ms()), 'boundaries' }
  end
end

local history = redis.call('HGET', pending, field)
local was = complete and 0 or '?'
if history then
  was = tonumber(history:match('=(%d)$'))
elseif redis.call('ZSCORE', follows, followee) then
  was = 1
end
if state == was then
  remember(record, fingerprint, life)
  return { 'DONE' }
end

if state == 1 and complete and redis.call('ZCARD', follows) - 1 >= tonumber(ARGV[6]) then return { 'LIMIT' } end
if redis.call('XLEN', journal) >= tonumber(ARGV[8]) then return { 'FULL' } end
if busy(history) then return { 'BUSY' } end

local blind = was == '?' and { 'was', was } or {}
local id = append(journal, record, 'kind', 'follow', 'state', state, 'data', ARGV[10], unpack(blind))
if state == 1 then
  redis.call('ZADD', follows, string.format('%.0f', moment_of(id)), followee)
else
  redis.call('ZREM', follows, followee)
end
redis.call('PEXPIRE', follows, ARGV[7])
redis.call('HSET', pending, field, (history or ('- ' .. was)) .. ' ' .. id .. '=' .. state)
remember(record, fingerprint, life)
return { 'DONE' }
