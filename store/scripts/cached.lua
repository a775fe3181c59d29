#!lua flags=allow-oom
-- Returns which values are cached. Deletes their leases, so that a reader that may have read the rows before the last
-- commit caches nothing.
--
-- KEYS  per value: its key, its lease    Returns per value 1 if it is cached, else 0.
-- Values are few enough for Lua to unpack.
local leases, cached = {}, {}
for i = 1, #KEYS, 2 do
  leases[#leases + 1] = KEYS[i + 1]
  cached[#cached + 1] = redis.call('EXISTS', KEYS[i])
end
redis.call('DEL', unpack(leases))
return cached
