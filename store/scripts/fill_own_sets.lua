#!lua
-- Loads own sets of one actor from Postgres into Redis (own_set.lua). Members with pending changes are left as they
-- are, and so are members with a newer moment.
--
-- KEYS  per set: the set, the states of its members, the actor's pending changes; at last the stamp of the actor's
--       boundaries, if ARGV 4 has one
-- ARGV  1 read_ms: ms of this server's clock when Postgres was read   2 pending_ms: for how many ms the read is valid
--       3 idle life of the sets, ms
--       4 a new stamp; '' for none
--       then per set: floor: the set becomes complete down to this moment (0: complete); '' leaves its completeness
--         cap: how many members a set keeps; '' for all   prefix of the pending fields of its members
--         how many members follow, and for each: moment (negative in state 2), member, its state above 2 or its text
--         ('' for none)
-- Returns 1; or 0 if the read is so old that it may lack changes that have already left the pending ones.
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
if now - tonumber(ARGV[1]) >= tonumber(ARGV[2]) then return 0 end

local at = 5
local stamp = ARGV[4] ~= '' and KEYS[#KEYS]
for i = 1, #KEYS - (stamp and 1 or 0), 3 do
  local set, states, pending = unpack(KEYS, i, i + 2)
  local floor, cap, prefix, count = unpack(ARGV, at, at + 3)
  -- Members below the floor are added while there is room, so that reading old pages cannot grow the set without bound.
  local room = floor == '' and cap ~= '' and tonumber(cap) * 1.1 - redis.call('ZCARD', set) or math.huge
  local last = at + 3 + 3 * tonumber(count)
  local is_cold, is_settled = redis.call('EXISTS', set) == 0, redis.call('HLEN', pending) == 0
  if is_cold then redis.call('DEL', states) end
  for j = at + 4, last, 3 do
    if room <= 0 then break end
    local moment, member, value = unpack(ARGV, j, j + 2)
    local present = not is_cold and redis.call('ZSCORE', set, member)
    local is_newer = not present or math.abs(moment) > math.abs(present)
    if is_newer and (is_settled or redis.call('HEXISTS', pending, prefix .. member) == 0) then
      redis.call('ZADD', set, moment, member)
      if value ~= '' then
        redis.call('HSET', states, member, value)
      elseif present then
        redis.call('HDEL', states, member)
      end
      room = room - 1
    end
  end
  if floor ~= '' then redis.call('ZADD', set, 'NX', floor, '0') end
  redis.call('PEXPIRE', set, ARGV[3])
  redis.call('PEXPIRE', states, ARGV[3])
  at = last + 1
end
if stamp then redis.call('SET', stamp, ARGV[4], 'PX', ARGV[3]) end
return 1
