-- How an actor's own set stores states. The loader inserts this part after the common part of actors' scripts.
--
-- A set holds member -> moment of the last change, negative in state 2. A hash beside it holds the states above 2, and
-- the texts of members that have one, which contain a space. The member '0' means that the set is complete down to that
-- member's own score. A member's pending history is newer than the set.

-- Returns the state of a member as text: '0' if it is not in the set; nil if the set is not complete that far down.
-- Also returns the score of the member '0'.
local function stored_state(set, states, member, oldest)
  local score, floor = unpack(redis.call('ZMSCORE', set, member, '0'))
  if score then
    if tonumber(score) < 0 then return '2', floor end
    local value = states and redis.call('HGET', states, member)
    return value and value:match('^%d+$') or '1', floor
  end
  return floor and tonumber(floor) < oldest and '0' or nil, floor
end

local function latest(history) return history and history:match('=(%d+)$') end

-- Writes a member's new state and its pending change.
local function put(set, states, pending, field, history, member, was, state, text, id)
  if state == '0' then
    redis.call('ZREM', set, member)
  else
    redis.call('ZADD', set, string.format('%.0f', moment_of(id) * (state == '2' and -1 or 1)), member)
  end
  if states then
    local value = text ~= '' and text or tonumber(state) > 2 and state
    if value then
      redis.call('HSET', states, member, value)
    else
      redis.call('HDEL', states, member)
    end
  end
  redis.call('HSET', pending, field, (history or was) .. ' ' .. id .. '=' .. state)
end
