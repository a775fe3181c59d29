#!lua flags=allow-oom
-- Opens journals for a generation, after their ids were raised (raise_ids.lua). Users then write to them again.
--
-- KEYS  the generations of the journals
-- ARGV  1 the generation
-- Returns nothing. A journal keeps its generation if that is later.
for _, generation in ipairs(KEYS) do
  if tonumber(redis.call('GET', generation) or '0') < tonumber(ARGV[1]) then redis.call('SET', generation, ARGV[1]) end
end
return nil
