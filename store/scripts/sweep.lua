#!lua flags=allow-oom
-- Removes changes from hashes of pending changes, after they were published longer ago than any request lasts.
-- A field with newer changes keeps them. Their base becomes the state of the newest removed change.
--
-- KEYS  one hash of pending changes per actor
-- ARGV  per hash: how many pairs follow, and the pairs: field, id of the newest change to remove
-- Returns nothing. A hash's pairs are few enough for Lua to unpack.
local function after(a, b) -- is journal id a newer than b?
  local a_ms, a_seq, b_ms, b_seq = a:match('^(%d+)-'), a:match('-(%d+)$'), b:match('^(%d+)-'), b:match('-(%d+)$')
  if a_ms ~= b_ms then return tonumber(a_ms) > tonumber(b_ms) end
  return tonumber(a_seq) > tonumber(b_seq)
end

-- Returns what remains of a field's changes after the one with the id `swept`, with their base; false if none remains.
local function left(history, swept)
  local base, changes = history:match('^(%S+)(.*)')
  local kept = ''
  for id, state in changes:gmatch('([%d-]+)=(%d+)') do
    if after(id, swept) then
      kept = kept .. ' ' .. id .. '=' .. state
    else
      base = state
    end
  end
  return kept ~= '' and base .. kept
end

local at = 1
for _, pending in ipairs(KEYS) do
  local last, fields, gone = at + 2 * tonumber(ARGV[at]), {}, {}
  for j = at + 1, last, 2 do fields[#fields + 1] = ARGV[j] end
  for k, history in ipairs(redis.call('HMGET', pending, unpack(fields))) do
    local kept = history and left(history, ARGV[at + 2 * k])
    if kept then
      redis.call('HSET', pending, fields[k], kept)
    elseif history then
      gone[#gone + 1] = fields[k]
    end
  end
  if #gone > 0 then redis.call('HDEL', pending, unpack(gone)) end
  at = last + 1
end
return nil
