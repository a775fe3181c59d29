#!lua
-- Counts actions of one kind (views, shares, or those of a business's own counter) on several entities by one actor
-- (L3, L15, W1). Some kinds, such as views, count once per actor, entity and hour.
--
-- KEYS  1 journal   2 the actor's pending changes   3 idempotency record
--       4 the actor's actions of the kind in this hour
--       5 what the anonymous devices of the actor's network have added this hour; for a user, any key of the slot
--       6 the count of the actor's records   7 the journal's generation
-- ARGV  1 kind: view | share | the id of an own counter   2 fingerprint of the input   3 idempotency record's life, ms
--       4 life of the hour's set, ms; '' if repeats count   5 cap of the hour's set   6 bound of the journal
--       7 life of the network's counts, ms; '' for a user, who is not limited by network
--       8 how many of this kind the network may add to one entity   9 how many to all entities
--       10… groups of three: member of the hour's set, pending field, the journal entry's data
--       and last the caller's generation
-- Returns { 'DONE', 'OK' }, or { 'DONE', 'OK <n>' } if n actions were not counted because of the network's limits
--         { 'REPLAY', outcome }  { 'MISMATCH' }  { 'FULL' }  { 'BUSY' }  { 'MOVED' }; only DONE changes anything.
local journal, pending, record, hour, network = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local fingerprint, dedupe, bounded = ARGV[2], ARGV[4] ~= '', ARGV[7] ~= ''

local answer = answered(record, fingerprint)
if answer then return answer end
if redis.call('XLEN', journal) >= tonumber(ARGV[6]) then return { 'FULL' } end

local all = ARGV[1] .. ':all'
local function field(i) return ARGV[1] .. ':' .. ARGV[i] end

local fresh, refused = {}, 0
local left = bounded and tonumber(ARGV[9]) - (redis.call('HGET', network, all) or 0)
local function may_add(i)
  if not bounded then return true end
  if #fresh < left and tonumber(redis.call('HGET', network, field(i)) or 0) < tonumber(ARGV[8]) then return true end
  refused = refused + 1
  return false
end

local room = dedupe and tonumber(ARGV[5]) - redis.call('SCARD', hour) or #ARGV
for i = 10, #ARGV - 1, 3 do
  if #fresh < room and not (dedupe and redis.call('SISMEMBER', hour, ARGV[i]) == 1) and may_add(i) then
    local history = redis.call('HGET', pending, ARGV[i + 1])
    if busy(history) then return { 'BUSY' } end
    fresh[#fresh + 1] = { i, history }
  end
end

for _, item in ipairs(fresh) do
  local i, history = item[1], item[2]
  local counted = history and tonumber(history:match('=(%d+)$')) or 0
  local id = append(journal, record, 'kind', ARGV[1], 'data', ARGV[i + 2])
  redis.call('HSET', pending, ARGV[i + 1], (history or '0') .. ' ' .. id .. '=' .. counted + 1)
  if dedupe then redis.call('SADD', hour, ARGV[i]) end
  if bounded then redis.call('HINCRBY', network, field(i), 1) end
end
if dedupe and #fresh > 0 then redis.call('PEXPIRE', hour, ARGV[4]) end
if bounded and #fresh > 0 then
  redis.call('HINCRBY', network, all, #fresh)
  redis.call('PEXPIRE', network, ARGV[7])
end
remember(record, fingerprint, ARGV[3])
return { 'DONE', refused > 0 and 'OK ' .. refused or 'OK' }
