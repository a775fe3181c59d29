#!lua
-- Loads the users that a user blocks and mutes, the threads that the user mutes, and the users that block the user, from
-- Postgres into Redis. Members with pending changes are left as they are, and so are blockers with a newer mark.
--
-- KEYS  1 the user's blocks   2 the user's mutes   3 the user's muted threads   4 the user's pending ones of these kinds
--       5 users who block the user   6 the stamp of these sets
-- ARGV  1 read_ms: ms of this server's clock when Postgres was read   2 pending_ms   3 idle life of the sets, ms
--       4 prefix of the pending fields of blocks   5 of mutes   6 of threads
--       7 how many blocks follow   8 how many mutes follow   9 how many threads follow
--      10 '1' if all blockers were read, else ''   11 a new stamp
--      12… pairs: score, member; first blocks, then mutes, then threads, then blockers
-- Returns 1; or 0 if the read is so old that it may lack changes that have already left the pending ones.
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
if now - tonumber(ARGV[1]) >= tonumber(ARGV[2]) then return 0 end

local blockers, stamp = KEYS[5], KEYS[6]
local at = 12
for kind = 1, 3 do
  local set, prefix, count = KEYS[kind], ARGV[kind + 3], tonumber(ARGV[kind + 6])
  for i = at, at + 2 * count - 2, 2 do
    if redis.call('HEXISTS', KEYS[4], prefix .. ARGV[i + 1]) == 0 then redis.call('ZADD', set, ARGV[i], ARGV[i + 1]) end
  end
  at = at + 2 * count
  redis.call('ZADD', set, 'NX', 0, '0')
  redis.call('PEXPIRE', set, ARGV[3])
end
for i = at, #ARGV, 2 do
  local known = redis.call('ZSCORE', blockers, ARGV[i + 1])
  if not known or math.abs(ARGV[i]) > math.abs(known) then redis.call('ZADD', blockers, ARGV[i], ARGV[i + 1]) end
end
if ARGV[10] == '1' then redis.call('ZADD', blockers, 'NX', 0, '0') end
redis.call('PEXPIRE', blockers, ARGV[3])
redis.call('SET', stamp, ARGV[11], 'PX', ARGV[3])
return 1
