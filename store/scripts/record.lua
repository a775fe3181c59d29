#!lua
-- Views or shares of several entities by one actor (L15, W1). A view counts once per actor, entity and hour.
--
-- KEYS  1 journal   2 the actor's pending changes   3 idempotency record   4 what the actor viewed this hour
--       5 the journal's generation
-- ARGV  1 kind: view | share   2 fingerprint of the input   3 idempotency record's life, ms
--       4 life of the hour's set, ms; '' when repeats count   5 cap of the hour's set   6 bound of the journal
--       7… quads: member of the hour's set, pending field, owner id (0 if none), the journal entry's data
--       and last the caller's generation
-- Returns { 'DONE' }  { 'REPLAY', outcome }  { 'MISMATCH' }  { 'FULL' }  { 'BUSY' }
--         { 'MOVED' }; only DONE has changed anything.
local journal, pending, record, hour = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local fingerprint, dedupe = ARGV[2], ARGV[4] ~= ''

local answer = answered(record, fingerprint)
if answer then return answer end
if redis.call('XLEN', journal) >= tonumber(ARGV[6]) then return { 'FULL' } end

local fresh = {}
local room = dedupe and tonumber(ARGV[5]) - redis.call('SCARD', hour) or #ARGV
for i = 7, #ARGV - 1, 4 do
  if #fresh < room and not (dedupe and redis.call('SISMEMBER', hour, ARGV[i]) == 1) then
    local history = redis.call('HGET', pending, ARGV[i + 1])
    if busy(history) then return { 'BUSY' } end
    fresh[#fresh + 1] = { i, history }
  end
end

for _, item in ipairs(fresh) do
  local i, history = item[1], item[2]
  local counted = history and tonumber(history:match('=(%d+)$')) or 0
  local id = append(journal, record, 'kind', ARGV[1], 'data', ARGV[i + 3])
  redis.call('HSET', pending, ARGV[i + 1], (history or (ARGV[i + 2] .. ' 0')) .. ' ' .. id .. '=' .. counted + 1)
  if dedupe then redis.call('SADD', hour, ARGV[i]) end
end
if dedupe and #fresh > 0 then redis.call('PEXPIRE', hour, ARGV[4]) end
remember(record, fingerprint, ARGV[3])
return { 'DONE' }
