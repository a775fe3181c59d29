#!lua flags=allow-oom
-- Sets scores, read from Postgres, of members of cached lists. Lists that do not exist stay so, as in publish_list.
-- Scores rise and fall, so the last writer wins. A publication does not prolong the life of a list.
-- The score of the member '0' is the floor: members whose score is not higher are removed.
--
-- KEYS  per list: its key, its lease
-- ARGV  1 cap    then per list: how many pairs follow, and the pairs: score (0 removes), member
-- Returns nothing. A list's pairs are few enough for Lua to unpack, and no member occurs twice.
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
