#!lua
-- Loads all collections of an actor from Postgres into Redis. Collections with pending changes are left as they are.
--
-- KEYS  1 the collections   2 the actor's pending changes
-- ARGV  1 read_ms: ms of this server's clock when Postgres was read   2 pending_ms   3 idle life, ms
--       4 prefix of the pending fields of collections   5… pairs: id, value
-- Returns 1; or 0 if the read is so old that it may lack changes that have already left the pending set.
local collections, pending = KEYS[1], KEYS[2]
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
if now - tonumber(ARGV[1]) >= tonumber(ARGV[2]) then return 0 end

for i = 5, #ARGV, 2 do
  if redis.call('HEXISTS', pending, ARGV[4] .. ARGV[i]) == 0 then
    redis.call('HSET', collections, ARGV[i], ARGV[i + 1])
  end
end
redis.call('HSET', collections, '0', '')
redis.call('PEXPIRE', collections, ARGV[3])
return 1
