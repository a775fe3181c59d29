#!lua flags=allow-oom
-- Replaces cached values with values read from Postgres, unless the cached ones have a higher version. Deletes the
-- leases, so that running fills cache nothing. A value of the same version is replaced too: after a failover of
-- Postgres, a change is stored again and may differ (for example, in the floor number of a comment).
--
-- KEYS  per value: its key, its lease
-- ARGV  1 life, ms    then per value: version, the value as it is stored, which begins with the version and a space
-- Returns nothing. Values are few enough for Lua to unpack. Versions are digits of any length.
local function newer(a, b)
  if #a ~= #b then return #a > #b end
  return a > b
end

local leases = {}
for i = 2, #KEYS, 2 do leases[i / 2] = KEYS[i] end
redis.call('DEL', unpack(leases))

for i = 1, #KEYS, 2 do
  local version = ARGV[i + 1]
  local cached = redis.call('GETRANGE', KEYS[i], 0, 31):match('^%d+') -- the version is short, the body may be long
  if cached and not newer(cached, version) then
    redis.call('SET', KEYS[i], ARGV[i + 2], 'PX', ARGV[1])
  end
end
return nil
