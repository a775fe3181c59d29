#!lua flags=no-writes
-- Returns the clock of the server that holds a key. An age is measured and compared with the same clock.
--
-- KEYS  1 any key    Returns ms since the Unix epoch.
local clock = redis.call('TIME')
return string.format('%.0f', clock[1] * 1000 + math.floor(clock[2] / 1000))
