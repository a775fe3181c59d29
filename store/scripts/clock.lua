#!lua flags=no-writes
-- The clock of the server that holds a key: ages are only compared with the clock they were measured by.
--
-- KEYS  1 any key    Returns ms since the Unix epoch.
local clock = redis.call('TIME')
return string.format('%.0f', clock[1] * 1000 + math.floor(clock[2] / 1000))
