#!lua
-- Pins a snapshot of a list for readings that began at a moment or earlier, unless they have one.
--
-- The index has the snapshots of all readings that begin with the same page one, each with the moment up to which
-- readings may have begun that find it: a reading finds the first one whose moment is not earlier than its own. New
-- moments are later than all there are, so that no reading finds another one than before.
--
-- KEYS  1 index   2 snapshot
-- ARGV  1 when the reading began, ms     2 moment of this snapshot, ms; not earlier than that
--       3 member of the index: `<mark>:<newest>:<moment>`, of which the first two tell what the snapshot holds
--       4 what it holds     5 life, ms     6 the moment before which nobody looks for snapshots any more
-- Returns the member of the snapshot that the reading is to use: an older one; the last one, if it holds the same,
-- whose moment is then this one; or this one.
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
