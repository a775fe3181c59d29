#!lua
-- Takes points from a token bucket, by the clock of the server that holds it. A bucket that does not exist is full.
-- If the clock has gone back, nothing is refilled, and refilling continues from the new time.
--
-- KEYS  1 the bucket: '<points> <ms>', the points that were in it at that time; it lives until it is full
-- ARGV  1 capacity    2 points refilled per second    3 the fewest points to take    4 the most points to take
-- Returns points taken (0 if there are fewer than the fewest: then nothing is written), points left as text,
-- ms since the Unix epoch as text.
local capacity, rate, fewest, most = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
if not (rate > 0 and rate < math.huge and fewest >= 1 and fewest <= most and most <= capacity and capacity < 2 ^ 31) then
  return redis.error_reply('ERR spend: invalid arguments')
end

local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local left, since = (redis.call('GET', KEYS[1]) or ''):match('^(%S+) (%d+)$')
left, since = tonumber(left or capacity), tonumber(since or now)
left = math.max(0, math.min(capacity, left + math.max(0, now - since) * rate / 1000))

local taken = math.min(most, math.floor(left))
if taken < fewest then
  taken = 0
else
  left = left - taken
  local life = math.ceil((capacity - left) / rate * 1000)
  redis.call('SET', KEYS[1], string.format('%.17g %.0f', left, now), 'PX', string.format('%.0f', life))
end
return { taken, string.format('%.17g', left), string.format('%.0f', now) }
