#!lua flags=allow-oom
-- Drops from pending sets what has been visible in published truth for longer than any request lives.
-- A field that has gone on changing keeps its newer changes, on the base of the newest swept one.
--
-- KEYS  one pending set per triple
-- ARGV  per key: field, id of the newest change that may go
-- Returns nothing.
local function after(a, b)  -- is journal id a newer than b?
  local a_ms, a_seq, b_ms, b_seq = a:match('^(%d+)-'), a:match('-(%d+)$'), b:match('^(%d+)-'), b:match('-(%d+)$')
  if a_ms ~= b_ms then return tonumber(a_ms) > tonumber(b_ms) end
  return tonumber(a_seq) > tonumber(b_seq)
end

for i, pending in ipairs(KEYS) do
  local field, swept = ARGV[2 * i - 1], ARGV[2 * i]
  local history = redis.call('HGET', pending, field)
  if history and history:match('(%S+)=%d+$') == swept then
    redis.call('HDEL', pending, field)
  elseif history then
    local owner, base, kept = history:match('^(%S+)'), history:match('^%S+ (%S+)'), ''
    for id, state in history:gmatch('([%d-]+)=(%d+)') do
      if after(id, swept) then kept = kept .. ' ' .. id .. '=' .. state else base = state end
    end
    if kept == '' then
      redis.call('HDEL', pending, field)
    else
      redis.call('HSET', pending, field, owner .. ' ' .. base .. kept)
    end
  end
end
return nil
