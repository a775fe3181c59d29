#!lua
-- Sets or removes one reaction in one atomic step: idempotency, current state, pending history, journal (L1, L10, W1).
--
-- KEYS  1 journal   2 the actor's reactions in this business   3 the actor's pending changes   4 idempotency record
--       5 the count of the actor's records   6 the journal's generation
-- ARGV  1 verb: like | unlike | dislike | undislike
--       2 entity id                     3 pending field
--       4 fingerprint of the input      5 idempotency record's life, ms
--       6 since: the lowest score that a reaction to this entity can have, given the entity's age
--       7 known: the reaction's score in Postgres; '0' if there is none; '' if not read; '?' if Postgres is down
--       8 read_ms: ms of this server's clock when Postgres was read     9 pending_ms
--      10 cap of the reactions set     11 its idle life, ms          12 bound of the journal
--      13 the journal entry's data
--      14 … the pending fields of all changes that can concern the entity, that of reactions first
--      last: the caller's generation
-- Returns { 'DONE', state, histories }  { 'REPLAY', the recorded outcome }  { 'COLD', ms, loaded }  { 'MISMATCH' }
--         { 'FULL' }  { 'BUSY' }  { 'MOVED' }
--         state: 0 none | 1 like | 2 dislike; histories: the values of the pending fields, both after the change
--         loaded: 1 if the set is complete down to some floor and only this entity lies below it.
--         Only DONE changes anything. COLD asks the caller to read Postgres and to call again with the result.
--         With '?', a like or dislike is written without the current state; rows tell the worker what it changed.
--
-- The reactions set holds score 2*moment + (1 if dislike), where a moment is 1024*ms + the sequence in that ms.
-- The member '0' means that the set is complete down to that member's own score.
local journal, reactions, pending, record = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local verb, entity, field, fingerprint = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local pending_ms, cap = tonumber(ARGV[9]), tonumber(ARGV[10])

local answer = answered(record, fingerprint)
if answer then return answer end

local now = now_ms()
local history = redis.call('HGET', pending, field)
local score = redis.call('ZSCORE', reactions, entity)
local floor = redis.call('ZSCORE', reactions, '0')
local known = tonumber(ARGV[7])

local function reaction(of) return of == 0 and 0 or of % 2 + 1 end

local function done(state)
  remember(record, fingerprint, ARGV[5])
  return { 'DONE', state, redis.call('HMGET', pending, unpack(ARGV, 14, #ARGV - 1)) }
end

local was
if history then
  was = tonumber(history:match('=(%d)$'))
elseif score then
  was = reaction(tonumber(score))
elseif floor and tonumber(floor) < tonumber(ARGV[6]) then
  was = 0
elseif known and now - tonumber(ARGV[8]) < pending_ms then
  was = reaction(known)
elseif ARGV[7] == '?' and (verb == 'like' or verb == 'dislike') then
  was = '?'
else
  return { 'COLD', string.format('%.0f', now), floor and 1 or 0 }
end

local outcome = {
  like = 1,
  dislike = 2,
  unlike = was == 1 and 0 or was,
  undislike = was == 2 and 0 or was,
}
local state = outcome[verb]

if state == was then return done(state) end

if redis.call('XLEN', journal) >= tonumber(ARGV[12]) then return { 'FULL' } end
if busy(history) then return { 'BUSY' } end

local id = append(journal, record, 'kind', 'react', 'state', state, 'was', was, 'data', ARGV[13])
local moment = moment_of(id)
if state == 0 then
  redis.call('ZREM', reactions, entity)
else
  redis.call('ZADD', reactions, string.format('%.0f', 2 * moment + (state == 2 and 1 or 0)), entity)
end

local extra = redis.call('ZCARD', reactions) - (floor and 1 or 0) - cap
if floor and extra > cap / 10 then -- without a floor, later readers could not know that some are missing
  redis.call('ZREM', reactions, '0')
  local popped = redis.call('ZPOPMIN', reactions, extra)
  local highest = popped[#popped]
  redis.call('ZADD', reactions, string.format('%.0f', math.max(tonumber(floor), tonumber(highest))), '0')
end
redis.call('PEXPIRE', reactions, ARGV[11])
redis.call('HSET', pending, field, (history or was) .. ' ' .. id .. '=' .. state)
return done(state)
