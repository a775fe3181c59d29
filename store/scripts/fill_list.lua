#!lua
-- Caches a newest-first list read from Postgres, if its lease is still valid.
--
-- KEYS  1 list   2 lease
-- ARGV  1 token   2 life, ms   3 floor: the list is complete above this moment   4… pairs: moment, member
-- Returns 1, or 0 if the lease was voided.
if redis.call('GET', KEYS[2]) ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[1], KEYS[2])
redis.call('ZADD', KEYS[1], ARGV[3], '0')
for i = 4, #ARGV, 2 do redis.call('ZADD', KEYS[1], ARGV[i], ARGV[i + 1]) end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1
