#!lua
-- Adds older items from Postgres to a cached newest-first list and lowers its floor, if the lease is still valid.
--
-- KEYS  1 list   2 lease
-- ARGV  1 token   2 life, ms   3 cap   4 the floor that the reader knew   5 the new floor   6… pairs: moment, member
-- Returns 1; or 0 if the lease was voided, the floor has moved, or the list would outgrow its cap.
if redis.call('GET', KEYS[2]) ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[2])
local floor = redis.call('ZSCORE', KEYS[1], '0')
if not floor or tonumber(floor) ~= tonumber(ARGV[4]) then return 0 end
if redis.call('ZCARD', KEYS[1]) - 1 + (#ARGV - 5) / 2 > tonumber(ARGV[3]) then return 0 end
redis.call('ZADD', KEYS[1], ARGV[5], '0')
for i = 6, #ARGV, 2 do redis.call('ZADD', KEYS[1], ARGV[i], ARGV[i + 1]) end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1
