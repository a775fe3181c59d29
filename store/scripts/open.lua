#!lua flags=allow-oom
-- Opens journals for a generation: what is appended from now on comes after everything that truth has of them.
--
-- KEYS  per partition: its journal, its generation
-- ARGV  1 the generation    then per partition: the id that comes before all that will be given
-- Returns nothing. A journal that has come further already stays as it is, as does one that is
-- open for a later generation.
for i = 1, #KEYS, 2 do
  local journal = KEYS[i]
  local id = redis.pcall('XADD', journal, ARGV[(i + 3) / 2], 'kind', 'opened')
  if not id.err then redis.call('XDEL', journal, id) end
  if tonumber(redis.call('GET', KEYS[i + 1]) or '0') < tonumber(ARGV[1]) then redis.call('SET', KEYS[i + 1], ARGV[1]) end
end
return nil
