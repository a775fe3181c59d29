#!lua flags=no-writes
-- Reads the users that a user blocks and mutes, the threads that the user mutes, and the users that block the user.
--
-- KEYS  1 the user's blocks   2 the user's mutes   3 the user's muted threads   4 users who block the user
--       5 when the mutes end   6 the stamp of these sets
-- ARGV  1 the stamp of what the caller knows; '' if it knows nothing
-- Returns { stamp } if the caller knows the present sets
--         { ms } as a number, by this server's clock, if one of the sets 1 to 3 is not cached
--         { stamp, blocks, mutes, threads, blockers } otherwise. Each is a list: member, score, …; in mutes, the end
--         stands in place of the score. blockers is '' if that set is incomplete.
local stamp = redis.call('GET', KEYS[6])
if stamp and stamp == ARGV[1] then return { stamp } end
local answer = { stamp }
for at = 1, 3 do
  if not stamp or not redis.call('ZSCORE', KEYS[at], '0') then
    local clock = redis.call('TIME')
    return { clock[1] * 1000 + math.floor(clock[2] / 1000) }
  end
  answer[at + 1] = at == 2 and redis.call('HGETALL', KEYS[5]) or redis.call('ZRANGE', KEYS[at], 0, -1, 'WITHSCORES')
end
local complete = redis.call('ZSCORE', KEYS[4], '0')
answer[5] = complete and redis.call('ZRANGE', KEYS[4], 0, -1, 'WITHSCORES') or ''
return answer
