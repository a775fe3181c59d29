#!lua
-- Ends a writer's fence around values. Where the fence did not hold until now, because another writer's replaced it or
-- it ran out, somebody may have read truth before this writer's commit: what they installed or are installing goes too.
--
-- KEYS  per value: its key, its lease    ARGV  1 the fence's token    Returns nothing.
for i = 1, #KEYS, 2 do
  if redis.call('GET', KEYS[i + 1]) ~= ARGV[1] then redis.call('DEL', KEYS[i]) end
  redis.call('DEL', KEYS[i + 1])
end
return nil
