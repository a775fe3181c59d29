#!lua
-- Creates, changes or deletes one collection of its actor, in one atomic step: idempotency, current state, limit,
-- pending history, journal (V2, W1).
--
-- KEYS  1 journal   2 the actor's collections   3 the actor's pending changes   4 idempotency record
--       5 the count of the actor's records   6 the journal's generation
-- ARGV  1 verb: create | update | delete   2 id of the collection   3 pending field
--       4 fingerprint of the input   5 idempotency record's life, ms
--       6 whether others may see it: '1' or '0'; '' leaves it as it is   7 name; '' leaves it as it is
--       8 limit: how many collections the actor may have
--       9 idle life of the collections, ms   10 bound of the journal   11 the journal entry's data
--       12 judged: the name that moderation allows for a public collection; '' for none   13 the caller's generation
-- Returns { 'DONE', outcome }  { 'REPLAY', outcome }  { 'COLD' }  { 'ABSENT' }  { 'LIMIT' }  { 'UNJUDGED' }
--         { 'MISMATCH' }  { 'FULL' }  { 'BUSY' }  { 'MOVED' }
--         The outcome is 'OK', followed by the id of the collection. Only DONE changes anything. ABSENT: the actor has
--         no such collection. COLD asks the caller to load the collections. UNJUDGED: the collection would be public
--         with another name than the judged one, because it was changed meanwhile.
--
-- The collections are a hash: id -> '1 name' or '0 name'; 1 if others may see it. It is complete if it has the field '0'.
local journal, collections, pending, record = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local verb, id, field, fingerprint = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

local answer = answered(record, fingerprint)
if answer then return answer end
if redis.call('HEXISTS', collections, '0') == 0 then return { 'COLD' } end

local was = redis.call('HGET', collections, id)
if verb ~= 'create' and not was then return { 'ABSENT' } end
if verb == 'create' and redis.call('HLEN', collections) > tonumber(ARGV[8]) then return { 'LIMIT' } end

local public, name = ARGV[6], ARGV[7]
if public == '' then public = was and was:sub(1, 1) or '0' end
if name == '' then name = was and was:sub(3) or '' end
if verb == 'update' and was == public .. ' ' .. name then
  remember(record, fingerprint, ARGV[5], ' ' .. id)
  return { 'DONE', 'OK ' .. id }
end
if verb ~= 'delete' and public == '1' and name ~= ARGV[12] then return { 'UNJUDGED' } end
if redis.call('XLEN', journal) >= tonumber(ARGV[10]) then return { 'FULL' } end
local history = redis.call('HGET', pending, field)
if busy(history) then return { 'BUSY' } end

local state = verb == 'delete' and 0 or 1
local change = append(
  journal, record, 'kind', 'collection', 'state', state, 'public', public, 'name', name, 'data', ARGV[11]
)
if state == 0 then
  redis.call('HDEL', collections, id)
else
  redis.call('HSET', collections, id, public .. ' ' .. name)
end
redis.call('PEXPIRE', collections, ARGV[9])
redis.call('HSET', pending, field, (history or (was and 1 or 0)) .. ' ' .. change .. '=' .. state)
remember(record, fingerprint, ARGV[5], ' ' .. id)
return { 'DONE', 'OK ' .. id }
