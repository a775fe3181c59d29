#!lua flags=allow-oom
-- Adds to and removes from cached newest-first lists. Existing lists only: a write never gives birth to a partial one.
-- Scores are moments, negative once removed, and change only for a larger |moment|: a stalled writer resurrects nothing.
-- The member '0' is the floor: nothing at or below its score is known here, nor accepted.
--
-- KEYS  per list: its key, its lease
-- ARGV  1 cap    2 life, ms    then per list: how many pairs follow, and the pairs: signed moment, member
-- Returns nothing.
local cap, at = tonumber(ARGV[1]), 3

local function trim(list)
  if redis.call('ZCOUNT', list, '-inf', '(0') > cap then return redis.call('DEL', list) end
  if redis.call('ZCOUNT', list, '(0', '+inf') <= cap + cap / 10 then return end
  local floor = redis.call('ZRANGE', list, cap, cap, 'REV', 'WITHSCORES')[2]
  redis.call('ZREMRANGEBYSCORE', list, '-' .. floor, floor)
  redis.call('ZADD', list, floor, '0')
end

for i = 1, #KEYS, 2 do
  local list, pairs_here = KEYS[i], tonumber(ARGV[at])
  redis.call('DEL', KEYS[i + 1])
  local floor = tonumber(redis.call('ZSCORE', list, '0') or '')
  for j = at + 1, at + 2 * pairs_here, 2 do
    local score, member = tonumber(ARGV[j]), ARGV[j + 1]
    if floor and math.abs(score) > floor then
      local old = tonumber(redis.call('ZSCORE', list, member) or '0')
      if math.abs(score) > math.abs(old) then redis.call('ZADD', list, ARGV[j], member) end
    end
  end
  if floor then
    trim(list)
    redis.call('PEXPIRE', list, ARGV[2])
  end
  at = at + 1 + 2 * pairs_here
end
return nil
