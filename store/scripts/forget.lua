#!lua flags=allow-oom
-- Removes one of an actor's own sets, so that it is loaded from Postgres again. Does nothing if the set has pending
-- changes: Postgres lacks them, so loading would not bring them back.
--
-- KEYS  1 the set   2 the states of its members   3 the actor's pending changes
-- ARGV  1 prefix of the pending fields of its members
-- Returns how many keys were removed; 0 if the set stays.
for _, field in ipairs(redis.call('HKEYS', KEYS[3])) do
  if field:sub(1, #ARGV[1]) == ARGV[1] then return 0 end
end
return redis.call('DEL', KEYS[1], KEYS[2])
