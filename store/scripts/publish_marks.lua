#!lua flags=allow-oom
-- Updates cached members of membership sets. Members that are not cached stay so. Only a larger |moment| replaces a
-- smaller one.
--
-- KEYS  per set: its key, its lease
-- ARGV  per set: how many pairs follow, and the pairs: signed moment, member
-- Returns nothing. A set's pairs are few enough for Lua to unpack.
local at = 1
for i = 1, #KEYS, 2 do
  local marks, last, members = KEYS[i], at + 2 * tonumber(ARGV[at]), {}
  redis.call('DEL', KEYS[i + 1])
  for j = at + 2, last, 2 do members[#members + 1] = ARGV[j] end
  for k, known in ipairs(redis.call('ZMSCORE', marks, unpack(members))) do
    local moment = ARGV[at + 2 * k - 1]
    if known and math.abs(moment) > math.abs(known) then redis.call('ZADD', marks, moment, members[k]) end
  end
  at = last + 1
end
return nil
