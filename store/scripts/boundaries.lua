#!lua flags=no-writes
-- Reads the boundaries of a user: whom the user blocks and mutes, the threads that the user mutes, and who blocks the
-- user. Reads the topics and entities that the user follows, and the user's preferences, with them.
--
-- KEYS  1 the user's blocks   2 the user's mutes   3 the user's muted threads   4 the topics and entities that the user
--       follows   5 the user's preferences   6 users who block the user   7 when the mutes end
--       8 the names of the topics in 4   9 the stamp of these sets
-- ARGV  1 the stamp of what the caller knows; '' if it knows nothing
-- Returns { stamp } if the caller knows the present sets
--         { ms } as a number, by this server's clock, if one of the sets 1 to 5 is not cached
--         { stamp, blocks, mutes, threads, follows, preferences, blockers, names } otherwise. Each is a list: member,
--         score, …; in mutes, the end stands in place of the score, and in names, the text. blockers is '' if that set
--         is incomplete.
local stamp = redis.call('GET', KEYS[9])
if stamp and stamp == ARGV[1] then return { stamp } end
local answer = { stamp }
for at = 1, 5 do
  if not stamp or not redis.call('ZSCORE', KEYS[at], '0') then
    local clock = redis.call('TIME')
    return { clock[1] * 1000 + math.floor(clock[2] / 1000) }
  end
  answer[at + 1] = at == 2 and redis.call('HGETALL', KEYS[7]) or redis.call('ZRANGE', KEYS[at], 0, -1, 'WITHSCORES')
end
local complete = redis.call('ZSCORE', KEYS[6], '0')
answer[7] = complete and redis.call('ZRANGE', KEYS[6], 0, -1, 'WITHSCORES') or ''
answer[8] = redis.call('HGETALL', KEYS[8])
return answer
