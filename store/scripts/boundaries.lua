#!lua flags=no-writes
-- Reads the users that a user blocks and mutes, and the users that block the user.
--
-- KEYS  1 the user's blocks   2 the user's mutes   3 users who block the user   4 the stamp of these sets
-- ARGV  1 the stamp of what the caller knows; '' if it knows nothing
-- Returns { stamp } if the caller knows the present sets; { ms } as a number if one of the sets is not cached; else
--         { stamp, blocks, mutes, blockers }: the first two as user, score, …; the last as marks, '' if incomplete.
local stamp = redis.call('GET', KEYS[4])
if stamp and stamp == ARGV[1] then return { stamp } end
local blocks, mutes = KEYS[1], KEYS[2]
if not stamp or not redis.call('ZSCORE', blocks, '0') or not redis.call('ZSCORE', mutes, '0') then
  local clock = redis.call('TIME')
  return { clock[1] * 1000 + math.floor(clock[2] / 1000) }
end
local complete = redis.call('ZSCORE', KEYS[3], '0')
return {
  stamp,
  redis.call('ZRANGE', blocks, 0, -1, 'WITHSCORES'),
  redis.call('ZRANGE', mutes, 0, -1, 'WITHSCORES'),
  complete and redis.call('ZRANGE', KEYS[3], 0, -1, 'WITHSCORES') or '',
}
