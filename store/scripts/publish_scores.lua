#!lua flags=allow-oom
-- Gives members of cached lists the scores that were read back for them. Existing lists only, as in publish_list; but
-- scores go up and down, so that what comes last wins, and a list lives no longer for being published to.
-- The member '0' is the floor: what has no higher score is not known here, and leaves.
--
-- KEYS  per list: its key, its lease
-- ARGV  1 cap    then per list: how many pairs follow, and the pairs: score (0 removes), member
-- Returns nothing. A list's pairs are few enough to be unpacked, and no member comes twice.
local cap, at = tonumber(ARGV[1]), 2

local function trim(list)
  if redis.call('ZCARD', list) - 1 <= cap + cap / 10 then return end
  local floor = redis.call('ZRANGE', list, cap, cap, 'REV', 'WITHSCORES')[2]
  redis.call('ZREMRANGEBYSCORE', list, '-inf', floor)
  redis.call('ZADD', list, floor, '0')
end

local function change(list, first, last)
  local floor = redis.call('ZSCORE', list, '0')
  if not floor then return end
  floor = tonumber(floor)
  local known, gone = {}, {}
  for j = first, last, 2 do
    if tonumber(ARGV[j]) > floor then
      known[#known + 1] = ARGV[j]
      known[#known + 1] = ARGV[j + 1]
    else
      gone[#gone + 1] = ARGV[j + 1]
    end
  end
  if #known > 0 then redis.call('ZADD', list, unpack(known)) end
  if #gone > 0 then redis.call('ZREM', list, unpack(gone)) end
  trim(list)
end

local leases = {}
for i = 2, #KEYS, 2 do leases[i / 2] = KEYS[i] end
redis.call('DEL', unpack(leases))

for i = 1, #KEYS, 2 do
  local pairs_here = tonumber(ARGV[at])
  change(KEYS[i], at + 1, at + 2 * pairs_here)
  at = at + 1 + 2 * pairs_here
end
return nil
