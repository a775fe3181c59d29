#!lua
-- A follow or unfollow, whole or not at all: idempotency, current state, limit, change, pending, journal (F1, F7, W1).
--
-- KEYS  1 journal   2 whom the actor follows   3 the actor's pending changes   4 idempotency record
--       5 the journal's generation
-- ARGV  1 state: 1 to follow, 0 to unfollow    2 the followee's id             3 pending field
--       4 fingerprint of the input             5 idempotency record's life, ms
--       6 limit: how many one may follow       7 idle life of the set, ms      8 bound of the journal
--       9 '?' where nobody can say whom the actor follows, else ''
--      10 the journal entry's data            11 the caller's generation
-- Returns { 'DONE' }  { 'REPLAY', outcome }  { 'COLD', ms }  { 'LIMIT' }  { 'MISMATCH' }  { 'FULL' }  { 'BUSY' }
--         { 'MOVED' }
--         Nothing but DONE changes anything; COLD asks the caller to warm the set as of this clock. Where nobody can
--         say, it is written whatever there was: rows tell later what it has changed, and how many that makes.
--
-- The set holds followee -> moment, and is complete where it has the member '0'.
local journal, follows, pending, record = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local state, followee, field, fingerprint, life = tonumber(ARGV[1]), ARGV[2], ARGV[3], ARGV[4], ARGV[5]

local answer = answered(record, fingerprint)
if answer then return answer end
local complete = redis.call('ZSCORE', follows, '0')
if not complete and ARGV[9] ~= '?' then return { 'COLD', string.format('%.0f', now_ms()) } end

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
redis.call('HSET', pending, field, (history or ('0 ' .. was)) .. ' ' .. id .. '=' .. state)
remember(record, fingerprint, life)
return { 'DONE' }
