#!lua
-- Adds members read from Postgres to a cached membership set, if the lease is still valid.
--
-- KEYS  1 set   2 lease
-- ARGV  1 token   2 life, ms   3 cap   4… pairs: signed moment (negative: not a member), member
-- Returns 1, or 0 if the lease was voided. A set that would outgrow its cap is emptied first.
if redis.call('GET', KEYS[2]) ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[2])
if redis.call('ZCARD', KEYS[1]) + (#ARGV - 3) / 2 > tonumber(ARGV[3]) then redis.call('DEL', KEYS[1]) end
for i = 4, #ARGV, 2 do redis.call('ZADD', KEYS[1], ARGV[i], ARGV[i + 1]) end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1
