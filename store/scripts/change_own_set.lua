#!lua
-- Changes the state of one member of one of an actor's own sets, in one atomic step: checks the idempotency record, the
-- current state and the limit, then writes the set, the pending change, the journal and the record (W1).
-- store/own_sets/kinds/ lists the kinds of sets and their states. The functions that are called here and not defined
-- are in idempotency_life.lua, actor.lua and own_set.lua.
--
-- KEYS  1 journal   2 the set   3 the states of its members   4 the actor's pending changes   5 idempotency record
--       then, in this order, those that ARGV 17 to 20 announce; at last the count of the actor's records and the
--       journal's generation
-- ARGV  1 kind   2 member   3 pending field   4 fingerprint of the input   5 idempotency record's life, ms
--       6 to: the state after the change; 0 removes the member   7 only: no other state is changed; '' for any
--         With ARGV 26: the kinds that are added and removed, each as the sum of the bits of these kinds
--       8 '1': a member in state 0 is refused as ABSENT; else ''
--       9 oldest: the lowest moment that this member can have, given its age; 2^53 for a member of a set with a limit
--      10 known: the state in Postgres; '' if not read; '?' if Postgres is down
--      11 read_ms: ms of this server's clock when Postgres was read   12 pending_ms: for how many ms the read is valid
--      13 cap: how many members the set keeps; '' if it has a limit   14 limit: how many members it may have
--      15 idle life of the set, ms   16 bound of the journal
--      17 '1': the set of the legal states above 1 follows in KEYS; else ''
--      18 how many sets of users follow that forbid the change
--      19 pending field of the member in another set, from which this change removes it; that set and its pending
--         changes follow in KEYS; '' for none
--      20 '1': the stamp of the actor's boundaries follows in KEYS; else ''
--      21 '1': states above 2 are the ms at which the member leaves; else ''
--      22 text to store with the member; '' for none   23 the text that the member must have; '' for any,
--         ' ' for none
--      24 value to store in the outcome; '' for the id of the journal entry   25 the journal entry's data
--      26 the kinds that count as a like, if states have several kinds of reactions (own_set.lua); else ''
--      27 … the pending fields of all changes that can concern the member; at last the caller's generation
-- Returns { 'DONE', state, id, histories }  { 'REPLAY', the recorded outcome }  { 'COLD', ms, what, loaded }
--         { 'BLOCKED' }  { 'ABSENT' }  { 'LIMIT' }  { 'CHANGED' }  { 'MISMATCH' }  { 'FULL' }  { 'BUSY' }  { 'MOVED' }
--         state: the one after the change   id: of the journal entry, '' if nothing had to be changed
--         histories: the values of the pending fields after the change
--         COLD asks the caller to load something, as of this clock. what: 'set' | 'within' | 'guards'
--         loaded: 1 if the set is complete down to some floor and only this member lies below it
--         CHANGED: the member has another text. Only DONE changes anything.
--         With '?', the change is written without the current state; rows tell the worker what it changed.
local journal, set, states, pending, record = unpack(KEYS, 1, 5)
local kind, member, field, fingerprint, life, to, only, must_be, oldest = unpack(ARGV, 1, 9)
local known, read_ms, pending_ms, cap, limit, idle_ms, bound = unpack(ARGV, 10, 16)
local within, guards, end_field, stamp, expires = unpack(ARGV, 17, 21)
local text, expected, value, data, likes = unpack(ARGV, 22, 26)
cap, limit = tonumber(cap), tonumber(limit)
must_be, within, stamp, expires = must_be ~= '', within ~= '', stamp ~= '', expires ~= ''

local at = 5
local function next_key()
  at = at + 1
  return KEYS[at]
end

local answer = answered(record, fingerprint)
if answer then return answer end

local now = now_ms()
local function cold(what, loaded) return { 'COLD', string.format('%.0f', now), what, loaded and 1 or 0 } end

local legal = within and next_key()
local function illegal(state)
  if tonumber(state) <= 1 or redis.call('ZSCORE', legal, state) then return nil end
  return redis.call('ZSCORE', legal, '0') and { 'ABSENT' } or cold('within')
end
local refused = within and illegal(to)
if refused then return refused end

local history = redis.call('HGET', pending, field)
local was, floor = stored_state(set, states, member, tonumber(oldest))
if limit and not floor and known ~= '?' then return cold('set') end
was = latest(history) or was
if not was and tonumber(known) and now - tonumber(read_ms) < tonumber(pending_ms) then was = known end
if not was and known == '?' then was = '?' end
if not was then return cold('set', floor) end

local state
if likes ~= '' then
  state = with_kinds(tonumber(was) or 0, tonumber(to), tonumber(only), tonumber(likes))
else
  state = (only == '' or was == only or was == '?') and to or was
end
if within and to ~= '0' then
  local refusal = illegal(state)
  if refusal and refusal[1] == 'COLD' then return refusal end
  if refusal then state = '1' end -- the members of a removed state are removed later; this one stays
end

local unknown = false
for _ = 1, tonumber(guards) do
  local mark, complete = unpack(redis.call('ZMSCORE', next_key(), member, '0'))
  if mark and tonumber(mark) > 0 then return { 'BLOCKED' } end
  unknown = unknown or not (mark or complete)
end
if unknown then return cold('guards') end
if was == '0' and must_be then return { 'ABSENT' } end
local present = text ~= '' and redis.call('HGET', states, member)
if expected ~= '' and (present or ' ') ~= expected then return { 'CHANGED' } end

local function done(id)
  remember(record, fingerprint, life, value ~= '' and ' ' .. value or id ~= '' and ' ' .. id)
  local fields = #ARGV > 27 and redis.call('HMGET', pending, unpack(ARGV, 27, #ARGV - 1)) or {}
  return { 'DONE', state, id, fields }
end

if state == was and (text == '' or text == present) then return done('') end

-- If there are too many members, finds those whose time has come.
local joins, expired = was == '0' or expires and was ~= '?' and tonumber(was) <= now, {}
if limit and joins and to ~= '0' then
  local count = redis.call('ZCARD', set) - 1
  local all = expires and count >= limit and redis.call('HGETALL', states) or {}
  for i = 1, #all, 2 do
    if tonumber(all[i + 1]) <= now then expired[#expired + 1] = all[i] end
  end
  if count - #expired >= limit then return { 'LIMIT' } end
end
if redis.call('XLEN', journal) >= tonumber(bound) then return { 'FULL' } end
local other, other_pending, other_history, other_was
if end_field ~= '' then
  other, other_pending = next_key(), next_key()
  other_history = redis.call('HGET', other_pending, end_field)
  other_was = latest(other_history) or stored_state(other, nil, member, math.huge) or '?'
end
if busy(history) or busy(other_history) then return { 'BUSY' } end

for _, one in ipairs(expired) do
  redis.call('ZREM', set, one)
  redis.call('HDEL', states, one)
end
local ends = other and { 'ends', other_was == '0' and 0 or 1 } or {}
local id = append(journal, record, 'kind', kind, 'state', state, 'was', was, 'data', data, unpack(ends))
put(set, states, pending, field, history, member, was, state, text, id, likes ~= '')
if other and other_was ~= '0' then
  put(other, nil, other_pending, end_field, other_history, member, other_was, '0', '', id)
end

-- Removes the oldest members. Without a floor, later readers could not know that some are missing.
local extra = cap and floor and redis.call('ZCARD', set) - 1 - cap or 0
if cap and extra > cap / 10 then
  redis.call('ZREM', set, '0')
  local found = {}
  local function find(first, last, ...)
    local raw = redis.call('ZRANGE', set, first, last, 'BYSCORE', ...)
    for i = 1, #raw, 2 do found[#found + 1] = { raw[i], math.abs(raw[i + 1]) } end
  end
  find('(0', '+inf', 'LIMIT', 0, extra, 'WITHSCORES')
  find('(0', '-inf', 'REV', 'LIMIT', 0, extra, 'WITHSCORES')
  table.sort(found, function(a, b) return a[2] < b[2] end)
  for i = 1, extra do
    redis.call('ZREM', set, found[i][1])
    redis.call('HDEL', states, found[i][1])
  end
  redis.call('ZADD', set, string.format('%.0f', math.max(tonumber(floor), found[extra][2])), '0')
end
redis.call('PEXPIRE', set, idle_ms)
redis.call('PEXPIRE', states, idle_ms)
if stamp then redis.call('SET', next_key(), id, 'XX', 'KEEPTTL') end
return done(id)
