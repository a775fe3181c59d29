#!lua flags=allow-oom
-- Adds members to cached newest-first lists and removes members. Lists that do not exist stay so, because they would be
-- incomplete. Scores are moments, negative after removal. Only a larger |moment| replaces a score, so a late writer
-- cannot bring back a removed member. The score of the member '0' is the floor: items at or below it are not accepted.
--
-- A list that has changed can publish a message. Its channel is the list's key without the generation, which has the
-- same slot.
--
-- KEYS  per list: its key, its lease
-- ARGV  1 cap    2 life, ms; 0 if only reading prolongs it    3 the command that publishes messages, or ''
--       then per list: how many pairs follow, and the pairs: signed moment, member
-- Returns nothing. A list's pairs are few enough for Lua to unpack, and no member occurs twice.
local cap, life, publish, at = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3], 4

local function trim(list)
  -- ZCARD first: it is cheap, while ZCOUNT scans a listpack
  if redis.call('ZCARD', list) <= cap + cap / 10 then return end
  if redis.call('ZCOUNT', list, '-inf', '(0') > cap then return redis.call('DEL', list) end
  if redis.call('ZCOUNT', list, '(0', '+inf') <= cap + cap / 10 then return end
  local floor = redis.call('ZRANGE', list, cap, cap, 'REV', 'WITHSCORES')[2]
  redis.call('ZREMRANGEBYSCORE', list, '-' .. floor, floor)
  redis.call('ZADD', list, floor, '0')
end

-- Adds a single member that is new to its list, the most frequent case. ZADD NX searches the list only once.
local function join(list, floor, moment, member)
  return tonumber(moment) > floor and redis.call('ZADD', list, 'NX', moment, member) == 1
end

local function change(list, floor, first, last)
  local members, newer = {}, {}
  for j = first, last, 2 do members[#members + 1] = ARGV[j + 1] end
  local scores = redis.call('ZMSCORE', list, unpack(members))
  for k = 1, #members do
    local moment = ARGV[first + 2 * k - 2]
    if math.abs(moment) > math.max(floor, math.abs(scores[k] or 0)) then
      newer[#newer + 1] = moment
      newer[#newer + 1] = members[k]
    end
  end
  if #newer > 0 then redis.call('ZADD', list, unpack(newer)) end
  return #newer > 0
end

local leases = {}
for i = 2, #KEYS, 2 do leases[i / 2] = KEYS[i] end
redis.call('DEL', unpack(leases))

for i = 1, #KEYS, 2 do
  local list, pairs_here = KEYS[i], tonumber(ARGV[at])
  local floor = redis.call('ZSCORE', list, '0')
  if floor then
    floor = tonumber(floor)
    local changed = pairs_here == 1 and join(list, floor, ARGV[at + 1], ARGV[at + 2])
      or change(list, floor, at + 1, at + 2 * pairs_here)
    trim(list)
    if changed and publish ~= '' then redis.call(publish, list:match('{.*'), '') end
    -- PTTL is a read, so it is not replicated
    if life > 0 and redis.call('PTTL', list) < 0.9 * life then redis.call('PEXPIRE', list, life) end
  end
  at = at + 1 + 2 * pairs_here
end
return nil
