#!lua
-- Caches values read from Postgres, each if the reader still has its lease. Otherwise the read may be out of date.
--
-- KEYS  per value: its key, its lease
-- ARGV  1 the lease's token    then per value: life in ms, version, body
-- Returns per value 1 if it was cached, 0 if its lease was no longer valid.
local installed = {}
for i = 1, #KEYS, 2 do
  local at = (i - 1) / 2 * 3 + 2
  local is_valid = redis.call('GET', KEYS[i + 1]) == ARGV[1]
  if is_valid then
    redis.call('SET', KEYS[i], ARGV[at + 1] .. ' ' .. ARGV[at + 2], 'PX', ARGV[at])
    redis.call('DEL', KEYS[i + 1])
  end
  installed[#installed + 1] = is_valid and 1 or 0
end
return installed
