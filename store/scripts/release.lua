#!lua flags=allow-oom
-- Ends a writer's fences: leases on values that keep readers from caching them before the commit. Removes values that
-- were cached nevertheless, and the leases of readers that may have read the rows before the commit. The fence of
-- another writer stays.
--
-- KEYS  per value: its key, its lease    ARGV  1 the fence's token    Returns nothing.
-- Tokens of writers begin with 'w', those of readers do not.
for i = 1, #KEYS, 2 do
  redis.call('DEL', KEYS[i])
  local holder = redis.call('GET', KEYS[i + 1])
  if holder and (holder == ARGV[1] or holder:sub(1, 1) ~= 'w') then redis.call('DEL', KEYS[i + 1]) end
end
return nil
