#!lua flags=allow-oom
-- Forgets a set of an actor's own, to be warmed from truth again, unless some of its members are pending: truth lacks
-- them, and who warms the set leaves them as they are.
--
-- KEYS  1 the set   2 the actor's pending changes
-- ARGV  1 prefix of the pending fields of its members
-- Returns 1, or 0 where it stays.
for _, field in ipairs(redis.call('HKEYS', KEYS[2])) do
  if field:sub(1, #ARGV[1]) == ARGV[1] then return 0 end
end
return redis.call('DEL', KEYS[1])
