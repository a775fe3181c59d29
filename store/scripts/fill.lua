#!lua
-- Installs values read from truth under a lease each; a lease that was voided or taken means the read may be stale.
--
-- KEYS  per value: its key, its lease
-- ARGV  1 the lease's token    then per value: life in ms, version, body
-- Returns how many were installed.
local installed = 0
for i = 1, #KEYS, 2 do
  local at = (i - 1) / 2 * 3 + 2
  if redis.call('GET', KEYS[i + 1]) == ARGV[1] then
    redis.call('SET', KEYS[i], ARGV[at + 1] .. ' ' .. ARGV[at + 2], 'PX', ARGV[at])
    redis.call('DEL', KEYS[i + 1])
    installed = installed + 1
  end
end
return installed
