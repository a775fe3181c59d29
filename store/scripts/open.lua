#!lua flags=allow-oom
-- Opens journals for a generation: new entries come after all versions that Postgres has of their partitions.
--
-- KEYS  per partition: its journal, its generation
-- ARGV  1 the generation    then per partition: an id that is lower than all that will be given
-- Returns nothing. A journal whose last id is higher stays as it is, as does one that is
-- open for a later generation.
for i = 1, #KEYS, 2 do
  local journal = KEYS[i]
  local id = redis.pcall('XADD', journal, ARGV[(i + 3) / 2], 'kind', 'opened')
  if not id.err then redis.call('XDEL', journal, id) end
  if tonumber(redis.call('GET', KEYS[i + 1]) or '0') < tonumber(ARGV[1]) then redis.call('SET', KEYS[i + 1], ARGV[1]) end
end
return nil
