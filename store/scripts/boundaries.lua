#!lua flags=no-writes
-- Reads the boundaries of a user: whom the user blocks and mutes, the threads that the user mutes, and who blocks the
-- user. Reads the topics and entities that the user follows, the user's preferences, hidden posts and muted words, with them.
--
-- KEYS  1 the user's blocks   2 the user's mutes   3 the user's muted threads   4 the topics and entities that the user
--       follows   5 the user's preferences   6 the posts that the user hides   7 the user's muted words: one member
--       8 users who block the user   9 when the mutes end   10 the names of the topics in 4
--       11 the text with the words of 7   12 the stamp of these sets
-- ARGV  1 the stamp of what the caller knows; '' if it knows nothing
-- Returns { stamp } if the caller knows the present sets
--         { ms } as a number, by this server's clock, if one of the sets 1 to 7 is not cached
--         { stamp, blocks, mutes, threads, follows, preferences, hidden, words, blockers, names } otherwise. Each is a
--         list: member, score, …; in mutes, the end stands in place of the score, and in words and names, the text.
--         blockers is '' if that set is incomplete.
local beside = { [2] = KEYS[9], [7] = KEYS[11] } -- sets whose states are returned in place of the scores
local stamp = redis.call('GET', KEYS[12])
if stamp and stamp == ARGV[1] then return { stamp } end
local answer = { stamp }
for at = 1, 7 do
  if not stamp or not redis.call('ZSCORE', KEYS[at], '0') then
    local clock = redis.call('TIME')
    return { clock[1] * 1000 + math.floor(clock[2] / 1000) }
  end
  local states = beside[at]
  answer[at + 1] = states and redis.call('HGETALL', states) or redis.call('ZRANGE', KEYS[at], 0, -1, 'WITHSCORES')
end
local complete = redis.call('ZSCORE', KEYS[8], '0')
answer[9] = complete and redis.call('ZRANGE', KEYS[8], 0, -1, 'WITHSCORES') or ''
answer[10] = redis.call('HGETALL', KEYS[10])
return answer
