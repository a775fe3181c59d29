#!lua
-- Loads one of an actor's own sets from Postgres into Redis: reactions in one business, or follows. Members with
-- pending changes are left as they are.
--
-- KEYS  1 the set   2 the actor's pending changes
-- ARGV  1 read_ms: ms of this server's clock when Postgres was read   2 pending_ms
--       3 floor: the set becomes complete down to this score (0: complete); '' leaves its completeness as it is
--       4 cap of the set    5 idle life, ms    6 prefix of the pending fields of these members
--       7… pairs: score, member, newest first
-- Returns 1; or 0 if the read is so old that it may lack changes that have already left the pending set.
local set, pending = KEYS[1], KEYS[2]
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
if now - tonumber(ARGV[1]) >= tonumber(ARGV[2]) then return 0 end

-- Items below the floor are added while there is room, so that reading old pages cannot grow the set without bound.
local room = tonumber(ARGV[4]) * 1.1 - redis.call('ZCARD', set)
for i = 7, #ARGV, 2 do
  if ARGV[3] == '' and room <= 0 then break end
  if redis.call('HEXISTS', pending, ARGV[6] .. ARGV[i + 1]) == 0 then
    room = room - redis.call('ZADD', set, ARGV[i], ARGV[i + 1])
  end
end
if ARGV[3] ~= '' and not redis.call('ZSCORE', set, '0') then
  redis.call('ZADD', set, ARGV[3], '0')
end
redis.call('PEXPIRE', set, ARGV[5])
return 1
