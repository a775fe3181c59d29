#!lua flags=allow-oom
-- Raises the last ids of journals, so that new entries get higher ids than all changes in Postgres.
--
-- KEYS  journals
-- ARGV  for each an id; all new entries get higher ids
-- Returns nothing. A journal keeps its last id if that is higher.
for i, journal in ipairs(KEYS) do
  local id = redis.pcall('XADD', journal, ARGV[i], 'kind', 'opened')
  if not id.err then redis.call('XDEL', journal, id) end
end
return nil
