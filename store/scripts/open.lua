#!lua flags=allow-oom
-- Opens journals for a generation. New entries get ids above all versions of their partitions in Postgres.
--
-- KEYS  per partition: its journal, its generation
-- ARGV  1 the generation    then per partition: an id; all new entries get higher ids
-- Returns nothing. A journal keeps its last id if that is higher, and its generation if that is later.
for i = 1, #KEYS, 2 do
  local journal = KEYS[i]
  local id = redis.pcall('XADD', journal, ARGV[(i + 3) / 2], 'kind', 'opened')
  if not id.err then redis.call('XDEL', journal, id) end
  if tonumber(redis.call('GET', KEYS[i + 1]) or '0') < tonumber(ARGV[1]) then redis.call('SET', KEYS[i + 1], ARGV[1]) end
end
return nil
