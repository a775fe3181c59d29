#!lua
-- Stores in the slot of a user, in one atomic step, that another user has blocked or unblocked the user, or has removed
-- the user from the other user's followers. A block and a removal end the user's follow of the other user, or the
-- request to follow. A repeated or late call changes nothing.
--
-- KEYS  1 the user's journal   2 users who block the user   3 the user's follow set   4 the user's pending follows
--       5 idempotency record of this call   6 the stamp of the user's boundaries
--       7 the count of the user's records   8 the journal's generation
-- ARGV  1 mark: the moment of the block; negative: of the unblock; 0: the user was removed from the followers
--       2 the other user's id        3 pending field of a follow of the other user    4 fingerprint
--       5 idempotency record's life, ms   6 idle life of the set, ms
--       7 how many blockers may be cached   8 the data of the journal entry that ends the follow
--       9 the caller's generation
-- Returns { 'DONE', outcome }  { 'REPLAY', outcome }  { 'MISMATCH' }  { 'MOVED' }
--         A full journal or many pending changes do not refuse the call: workers could not go on without it.
--         The outcome is 'OK', followed by the id of the journal entry that ends the follow, if there is one.
--
-- The stamp only changes if it exists. So it never outlives the sets, which have all been filled with it.
-- The set of blockers holds user -> mark. The mark with the larger |moment| wins: it is that of the blocker's last
-- change, whichever arrives first. The set is complete if it has the member '0'.
local journal, blockers, follows, pending, record, stamp = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local mark, other, field = tonumber(ARGV[1]), ARGV[2], ARGV[3]

local known = tonumber(redis.call('ZSCORE', blockers, other) or 0)
local is_news = mark ~= 0 and math.abs(known) < math.abs(mark)
local function store_mark()
  local most = tonumber(ARGV[7])
  if redis.call('ZCARD', blockers) >= most then -- blockers that were stored long ago are looked up in rows
    local old = string.format('%.0f', (now_ms() - 3600000) * 1024)
    redis.call('ZREM', blockers, '0')
    redis.call('ZREMRANGEBYSCORE', blockers, '-' .. old, old)
  end
  redis.call('ZADD', blockers, ARGV[1], other)
  redis.call('PEXPIRE', blockers, ARGV[6])
  redis.call('SET', stamp, ARGV[1] .. ':' .. other, 'XX', 'KEEPTTL')
end

local answer = answered(record, ARGV[4])
if answer then -- the mark may have been lost with its set since
  if is_news then store_mark() end
  return answer
end
if mark ~= 0 and not is_news then return { 'DONE', 'OK' } end

local history = redis.call('HGET', pending, field)
local followed = latest(history) or stored_state(follows, nil, other, math.huge) or '?'
local ended = ''
if mark >= 0 and followed ~= '0' then
  local id = append(journal, record, 'kind', 'follow', 'state', 0, 'data', ARGV[8])
  ended = ' ' .. id
  put(follows, nil, pending, field, history, other, followed, '0', '', id)
end
if is_news then store_mark() end
-- This record is not counted: other users must not be able to shorten the life of the user's own records.
redis.call('SET', record, ARGV[4] .. ' OK' .. ended, 'PX', ARGV[5])
return { 'DONE', 'OK' .. ended }
