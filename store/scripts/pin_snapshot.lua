#!lua
-- Pins a snapshot of a list, so that the later pages of a reading fit its page one. Does nothing if there is a snapshot
-- for this reading already.
--
-- The index has the snapshots of all readings that began with the same page one. Each has a moment: readings that began
-- up to it may use the snapshot. A reading uses the first snapshot whose moment is not earlier than its own beginning.
-- New moments are later than all others, so a reading always gets the same snapshot.
--
-- KEYS  1 index   2 the new snapshot
-- ARGV  1 when the reading began, ms     2 moment of this snapshot, ms; not earlier than that
--       3 member of the index: `<mark>:<newest>:<moment>`; the first two identify the contents
--       4 contents     5 life, ms     6 the moment, ms, before which snapshots are no longer used
-- Returns the index member of the snapshot that the reading must use: an existing one; the last one, with the new
-- moment, if it has the same contents; or the new one.
local index, snapshot, member = KEYS[1], KEYS[2], ARGV[3]
local held = redis.call('ZRANGE', index, ARGV[1], '+inf', 'BYSCORE', 'LIMIT', 0, 1)[1]
if held then return held end

redis.call('ZREMRANGEBYSCORE', index, '-inf', '(' .. ARGV[6])
local last = redis.call('ZRANGE', index, -1, -1)[1]
if last and last:match('^%d+:%d+:') == member:match('^%d+:%d+:') then member = last end
redis.call('ZADD', index, ARGV[2], member)
redis.call('PEXPIRE', index, ARGV[5])
redis.call('SET', snapshot, ARGV[4], 'PX', ARGV[5])
return member
