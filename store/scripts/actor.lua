-- The common part of the scripts that write for an actor (a user or anonymous device). The loader inserts it after the
-- first line of each of them.
local HISTORY = 64 -- how many changes of one thing may be pending at once

-- The last key holds the generation for which the partition's journal is open; the last argument begins with the
-- generation that the caller uses. If they differ, the caller has missed a change of generation and must read the write
-- mode again. If the request is traced, a space and the traceparent of its span follow in this argument.
local generation, traceparent = ARGV[#ARGV]:match('^(%d+) ?(.*)$')
if (redis.call('GET', KEYS[#KEYS]) or '0') ~= generation then return { 'MOVED' } end

-- Returns { 'REPLAY', the recorded outcome } or { 'MISMATCH' } if the operation was done before; otherwise nil.
local function answered(record, fingerprint)
  local recorded = redis.call('GET', record)
  if not recorded then return nil end
  if recorded:sub(1, #fingerprint) ~= fingerprint then return { 'MISMATCH' } end
  return { 'REPLAY', recorded:sub(#fingerprint + 2) }
end

local function remember(record, fingerprint, life, value)
  redis.call('SET', record, fingerprint .. ' OK' .. (value or ''), 'PX', life_of_record(KEYS[#KEYS - 1], life))
end

-- Appends a change to the journal, with the digest of its operation, and with the traceparent if there is one.
local function append(journal, record, ...)
  local op = record:match('[^:]+$')
  if traceparent == '' then return redis.call('XADD', journal, '*', 'op', op, ...) end
  return redis.call('XADD', journal, '*', 'op', op, 'traceparent', traceparent, ...)
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
