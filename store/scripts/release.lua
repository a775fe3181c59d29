#!lua
-- Gives back leases that are still this caller's own.
--
-- KEYS  leases    ARGV  1 token    Returns nothing.
for _, lease in ipairs(KEYS) do
  if redis.call('GET', lease) == ARGV[1] then redis.call('DEL', lease) end
end
return nil
