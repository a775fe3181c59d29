-- What the scripts of actors have in common; put before them when they are loaded.
local HISTORY = 64  -- changes of one thing that may be pending at once

-- Their last key holds the generation that the partition's journal is open for, their last argument says which one
-- the caller believes in: who has slept through a change of it has to look before it writes.
if (redis.call('GET', KEYS[#KEYS]) or '0') ~= ARGV[#ARGV] then return { 'MOVED' } end

-- The answer to an operation that has one already: { 'REPLAY', the recorded outcome } or { 'MISMATCH' }.
local function answered(record, fingerprint)
  local recorded = redis.call('GET', record)
  if not recorded then return nil end
  if recorded:sub(1, #fingerprint) ~= fingerprint then return { 'MISMATCH' } end
  return { 'REPLAY', recorded:sub(#fingerprint + 2) }
end

local function remember(record, fingerprint, life, value)
  redis.call('SET', record, fingerprint .. ' OK' .. (value or ''), 'PX', life)
end

-- Says in the journal what has been done, by which operation.
local function append(journal, record, ...)
  return redis.call('XADD', journal, '*', 'op', record:match('[^:]+$'), ...)
end

local function busy(history) return history and select(2, history:gsub('=', '')) >= HISTORY end

local function now_ms()
  local clock = redis.call('TIME')
  return clock[1] * 1000 + math.floor(clock[2] / 1000)
end

local function moment_of(id)
  local ms, seq = id:match('^(%d+)-(%d+)$')
  return tonumber(ms) * 1024 + math.min(tonumber(seq), 1023)
end
