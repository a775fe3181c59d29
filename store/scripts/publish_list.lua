#!lua flags=allow-oom
-- Adds to and removes from cached newest-first lists. Existing lists only: a write never gives birth to a partial one.
-- Scores are moments, negative once removed, and change only for a larger |moment|: a stalled writer resurrects nothing.
-- The member '0' is the floor: nothing at or below its score is known here, nor accepted.
--
-- KEYS  per list: its key, its lease
-- ARGV  1 cap    2 life, ms; 0 where only reading prolongs it    then per list: how many pairs follow, and the pairs: signed moment, member
-- Returns nothing. A list's pairs are few enough to be unpacked, and no member comes twice.
local cap, life, at = tonumber(ARGV[1]), tonumber(ARGV[2]), 3

local function trim(list)
  if redis.call('ZCARD', list) <= cap then return end
  if redis.call('ZCOUNT', list, '-inf', '(0') > cap then return redis.call('DEL', list) end
  if redis.call('ZCOUNT', list, '(0', '+inf') <= cap + cap / 10 then return end
  local floor = redis.call('ZRANGE', list, cap, cap, 'REV', 'WITHSCORES')[2]
  redis.call('ZREMRANGEBYSCORE', list, '-' .. floor, floor)
  redis.call('ZADD', list, floor, '0')
end

local function change(list, first, last)
  local members, newer = {'0'}, {}
  for j = first, last, 2 do members[#members + 1] = ARGV[j + 1] end
  local scores = redis.call('ZMSCORE', list, unpack(members))
  if not scores[1] then return end
  for k = 2, #members do
    local moment = ARGV[first + 2 * k - 4]
    if math.abs(moment) > math.max(scores[1], math.abs(scores[k] or 0)) then
      newer[#newer + 1] = moment
      newer[#newer + 1] = members[k]
    end
  end
  if #newer > 0 then redis.call('ZADD', list, unpack(newer)) end
  trim(list)
  if life > 0 and redis.call('PTTL', list) < 0.9 * life then redis.call('PEXPIRE', list, life) end  -- asking costs no replica anything
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
