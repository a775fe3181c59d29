#!lua
-- Warms a set of an actor's own from truth, overlaid with what is pending: reactions in one business, or follows.
--
-- KEYS  1 the set   2 the actor's pending changes
-- ARGV  1 asked, ms of this server's clock when truth was asked   2 pending_ms
--       3 floor: the set becomes complete down to this score (0: complete); '' leaves completeness alone
--       4 cap of the set    5 idle life, ms    6 prefix of the pending fields of these members
--       7… pairs: score, member, newest first
-- Returns 1, or 0 when the read of truth is too old to trust against changes that have left the pending set.
local set, pending = KEYS[1], KEYS[2]
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
if now - tonumber(ARGV[1]) >= tonumber(ARGV[2]) then return 0 end

-- What lies below the floor is welcome as long as there is room: reading old pages must not grow the set without bound.
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
