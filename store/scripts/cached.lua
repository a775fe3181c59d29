#!lua flags=allow-oom
-- Returns which values are cached, and voids running fills: fills that begin later read the committed rows.
--
-- KEYS  per value: its key, its lease    Returns per value 1 if it is cached, else 0.
-- Values are few enough to be unpacked.
local leases, cached = {}, {}
for i = 1, #KEYS, 2 do
  leases[#leases + 1] = KEYS[i + 1]
  cached[#cached + 1] = redis.call('EXISTS', KEYS[i])
end
redis.call('DEL', unpack(leases))
return cached
