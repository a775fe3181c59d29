#!lua
-- Saves one target for its actor, moves it to another collection, or removes the save, in one atomic step: idempotency,
-- current state, pending history, journal (V1, W1).
--
-- KEYS  1 journal   2 the actor's saves   3 the actor's pending changes   4 idempotency record
--       5 the actor's collections   6 the count of the actor's records   7 the journal's generation
-- ARGV  1 collection: 1, or the id of a collection; 0 removes the save; -1 keeps the current collection, or 1 if none
--       2 the target, as business:id    3 pending field   4 fingerprint of the input   5 idempotency record's life, ms
--       6 since: the lowest moment that a save of this target can have, given the target's age
--       7 known: the collection in Postgres; '0' if not saved; '' if not read; '?' if Postgres is down
--       8 read_ms: ms of this server's clock when Postgres was read    9 pending_ms
--      10 cap of the saves             11 their idle life, ms          12 bound of the journal
--      13 only: nothing is changed unless this is the current collection; '' for any
--      14 the journal entry's data
--      15 … the pending fields of all changes that can concern the target
--      last: the caller's generation
-- Returns { 'DONE', collection, histories }  { 'REPLAY', the recorded outcome }  { 'COLD', ms, loaded }
--         { 'COLLECTIONS' }  { 'ABSENT' }  { 'MISMATCH' }  { 'FULL' }  { 'BUSY' }  { 'MOVED' }
--         histories: the values of the pending fields; they and the collection are those after the change
--         loaded: 1 if the saves are complete down to some floor and only this target lies below it.
--         ABSENT: the actor has no such collection. COLLECTIONS asks the caller to load the collections.
--         Only DONE changes anything. COLD asks the caller to read Postgres and to call again with the result.
--         With '?', the change is written without the current state; rows tell the worker what it changed.
--
-- The saves are a hash: target -> 'moment collection'. The field '0' means that all saves with higher moments are there.
local journal, saves, pending, record = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local collection, target, field, fingerprint = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local pending_ms, cap = tonumber(ARGV[9]), tonumber(ARGV[10])

local answer = answered(record, fingerprint)
if answer then return answer end

local function is_loaded() return redis.call('HEXISTS', KEYS[5], '0') == 1 end
local function exists(id) return id == '0' or id == '1' or redis.call('HEXISTS', KEYS[5], id) == 1 end

if collection ~= '-1' and not exists(collection) then return { is_loaded() and 'ABSENT' or 'COLLECTIONS' } end

local now = now_ms()
local history = redis.call('HGET', pending, field)
local save, floor = unpack(redis.call('HMGET', saves, target, '0'))

local was
if history then
  was = history:match('=(%d+)$')
elseif save then
  was = save:match('%d+$')
elseif floor and tonumber(floor) < tonumber(ARGV[6]) then
  was = '0'
elseif tonumber(ARGV[7]) and now - tonumber(ARGV[8]) < pending_ms then
  was = ARGV[7]
elseif ARGV[7] == '?' then
  was = '?'
else
  return { 'COLD', string.format('%.0f', now), floor and 1 or 0 }
end

if collection == '-1' then
  if tonumber(was) and not exists(was) and not is_loaded() then return { 'COLLECTIONS' } end
  -- The saves of a deleted collection are removed later. This one stays.
  collection = tonumber(was) and was ~= '0' and exists(was) and was or '1'
end

local function done(now_in)
  remember(record, fingerprint, ARGV[5])
  return { 'DONE', now_in, redis.call('HMGET', pending, unpack(ARGV, 15, #ARGV - 1)) }
end

if collection == was or (ARGV[13] ~= '' and ARGV[13] ~= was) then return done(was) end

if redis.call('XLEN', journal) >= tonumber(ARGV[12]) then return { 'FULL' } end
if busy(history) then return { 'BUSY' } end

local id = append(journal, record, 'kind', 'save', 'state', collection, 'was', was, 'data', ARGV[14])
if collection == '0' then
  redis.call('HDEL', saves, target)
else
  redis.call('HSET', saves, target, string.format('%.0f', moment_of(id)) .. ' ' .. collection)
end

-- Removes the oldest saves. Without a floor, later readers could not know that some are missing.
if floor and redis.call('HLEN', saves) - 1 > cap * 1.1 then
  local all, found = redis.call('HGETALL', saves), {}
  for i = 1, #all, 2 do
    if all[i] ~= '0' then found[#found + 1] = { all[i], tonumber(all[i + 1]:match('^%d+')) } end
  end
  table.sort(found, function(a, b) return a[2] < b[2] end)
  local extra = #found - cap
  for i = 1, extra do redis.call('HDEL', saves, found[i][1]) end
  redis.call('HSET', saves, '0', string.format('%.0f', math.max(tonumber(floor), found[extra][2])))
end
redis.call('PEXPIRE', saves, ARGV[11])
redis.call('HSET', pending, field, (history or was) .. ' ' .. id .. '=' .. collection)
return done(collection)
