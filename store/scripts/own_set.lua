-- How an actor's own set stores states. The loader inserts this part after the common part of actors' scripts.
--
-- A set holds member -> moment of the last change, negative for members that lists leave out: those in state 2, and
-- reactions that do not count as a like. A hash beside it holds the states above 2, and the texts of members that have
-- one, which contain a space. The member '0' means that the set is complete down to that
-- member's own score. A member's pending history is newer than the set.

-- Returns the state of a member as text: '0' if it is not in the set; nil if the set is not complete that far down.
-- Also returns the score of the member '0'.
local function stored_state(set, states, member, oldest)
  local score, floor = unpack(redis.call('ZMSCORE', set, member, '0'))
  if score then
    local value = states and redis.call('HGET', states, member)
    return value and value:match('^%d+$') or tonumber(score) < 0 and '2' or '1', floor
  end
  return floor and tonumber(floor) < oldest and '0' or nil, floor
end

-- Returns the state of a reaction, as text, after the kinds in the set `remove` are removed from `was` and those in `add`
-- are added. `likes` are the kinds that count as a like. models/likes.py describes states, and makes the same change.
local function with_kinds(was, add, remove, likes)
  local function has(kinds, bit) return kinds % (2 * bit) >= bit end
  local kinds, after, liked, bit = was <= 2 and was or math.floor(was / 4), 0, false, 1
  while bit <= kinds or bit <= add do
    if has(add, bit) or has(kinds, bit) and not has(remove, bit) then
      after, liked = after + bit, liked or has(likes, bit)
    end
    bit = 2 * bit
  end
  local counts_as = has(after, 2) and 2 or liked and 1 or 3
  return string.format('%.0f', after <= 2 and after or after * 4 + counts_as)
end

local function latest(history) return history and history:match('=(%d+)$') end

-- Writes a member's new state and its pending change. `reacts` is true for reactions.
local function put(set, states, pending, field, history, member, was, state, text, id, reacts)
  if state == '0' then
    redis.call('ZREM', set, member)
  else
    local listed = reacts and state % 4 == 1 or not reacts and state ~= '2'
    redis.call('ZADD', set, string.format('%.0f', moment_of(id) * (listed and 1 or -1)), member)
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
