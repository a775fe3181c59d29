#!lua flags=allow-oom
-- Removes changes from pending sets. They were published longer ago than any request lasts.
-- A field with newer changes keeps them. Their base becomes the state of the newest removed change. What is removed from
-- a history is also removed from its sum.
--
-- KEYS  one pending set per actor
-- ARGV  per set: how many pairs follow, and the pairs: field, id of the newest change to remove
-- Returns nothing. A set's pairs are few enough to be unpacked.
local function after(a, b) -- is journal id a newer than b?
  local a_ms, a_seq, b_ms, b_seq = a:match('^(%d+)-'), a:match('-(%d+)$'), b:match('^(%d+)-'), b:match('-(%d+)$')
  if a_ms ~= b_ms then return tonumber(a_ms) > tonumber(b_ms) end
  return tonumber(a_seq) > tonumber(b_seq)
end

-- Returns what remains of a history, or false; the field of its sum; and the newest removed change that changed the sum.
local function left(history, swept)
  local sum, base, changes = history:match('^(%S+) (%S+)(.*)')
  local kept, counted = '', nil
  for id, state in changes:gmatch('([%d-]+)=(%d+)') do
    if after(id, swept) then
      kept = kept .. ' ' .. id .. '=' .. state
    else
      if base == '?' or (base == '1') ~= (state == '1') then counted = id end
      base = state
    end
  end
  return kept ~= '' and sum .. ' ' .. base .. kept, sum, counted
end

-- Returns what remains of a sum, or false. Sums can be long, so their changes are not parsed.
local function rest(sum, swept)
  local from, to = sum:find(' ' .. swept .. '=', 1, true)
  if not from then return sum end -- a later change of unknown effect began the sum anew
  local total = sum:match('^-?%d+', to + 1)
  local later = sum:sub(to + 1 + #total)
  return later ~= '' and '- ' .. total .. later
end

local function store(pending, field, kept, gone)
  if kept then redis.call('HSET', pending, field, kept) else gone[#gone + 1] = field end
end

local at = 1
for _, pending in ipairs(KEYS) do
  local last, fields, gone, sums = at + 2 * tonumber(ARGV[at]), {}, {}, {}
  for j = at + 1, last, 2 do fields[#fields + 1] = ARGV[j] end
  for k, history in ipairs(redis.call('HMGET', pending, unpack(fields))) do
    if history then
      local kept, sum, counted = left(history, ARGV[at + 2 * k])
      store(pending, fields[k], kept, gone)
      if counted and sum ~= '-' and not (sums[sum] and after(sums[sum], counted)) then sums[sum] = counted end
    end
  end
  for field, swept in pairs(sums) do
    local sum = redis.call('HGET', pending, field)
    if sum then store(pending, field, rest(sum, swept), gone) end
  end
  if #gone > 0 then redis.call('HDEL', pending, unpack(gone)) end
  at = last + 1
end
return nil
