#!lua
-- Stores the idempotency record of an operation that has changed nothing, and for which no other script has run.
--
-- KEYS  1 idempotency record   2 the count of the actor's records
-- ARGV  1 the record   2 its life, ms
-- Returns the record if one exists already, and changes nothing; otherwise nil.
local standing = redis.call('GET', KEYS[1])
if standing then return standing end
redis.call('SET', KEYS[1], ARGV[1], 'PX', life_of_record(KEYS[2], ARGV[2]))
return nil
