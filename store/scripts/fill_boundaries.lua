#!lua
-- Loads the users that a user blocks and mutes, and the users that block the user, from Postgres into Redis. Members with pending changes
-- are left as they are, and so are blockers with a newer mark.
--
-- KEYS  1 the user's blocks   2 the user's mutes   3 the user's pending blocks and mutes   4 users who block the user
--       5 the stamp of these sets
-- ARGV  1 read_ms: ms of this server's clock when Postgres was read   2 pending_ms   3 idle life of the sets, ms
--       4 prefix of the pending fields of blocks   5 of mutes   6 '1' if all blockers were read, else ''
--       7 a new stamp   8 how many blocks follow   9 how many mutes follow
--      10… pairs: score, member; first blocks, then mutes, then blockers
-- Returns 1; or 0 if the read is so old that it may lack changes that have already left the pending ones.
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
if now - tonumber(ARGV[1]) >= tonumber(ARGV[2]) then return 0 end

local at = 10
local function fill(set, prefix, count)
  for i = at, at + 2 * count - 2, 2 do
    if redis.call('HEXISTS', KEYS[3], prefix .. ARGV[i + 1]) == 0 then redis.call('ZADD', set, ARGV[i], ARGV[i + 1]) end
  end
  at = at + 2 * count
  redis.call('ZADD', set, 'NX', 0, '0')
  redis.call('PEXPIRE', set, ARGV[3])
end
fill(KEYS[1], ARGV[4], tonumber(ARGV[8]))
fill(KEYS[2], ARGV[5], tonumber(ARGV[9]))
for i = at, #ARGV, 2 do
  local known = redis.call('ZSCORE', KEYS[4], ARGV[i + 1])
  if not known or math.abs(ARGV[i]) > math.abs(known) then redis.call('ZADD', KEYS[4], ARGV[i], ARGV[i + 1]) end
end
if ARGV[6] == '1' then redis.call('ZADD', KEYS[4], 'NX', 0, '0') end
redis.call('PEXPIRE', KEYS[4], ARGV[3])
redis.call('SET', KEYS[5], ARGV[7], 'PX', ARGV[3])
return 1
