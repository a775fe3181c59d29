#!lua flags=no-writes
-- Returns the last ids of journals, and the generations for which they are open.
--
-- KEYS  per partition: its journal, its generation
-- Returns for each, one after the other: the last id ever given, '0-0' if there is none; the generation, '0' if
--         there is none; and the run id of the server.
local function last_id(journal)
  local about = redis.pcall('XINFO', 'STREAM', journal)
  if about.err then return '0-0' end
  for i = 1, #about, 2 do
    if about[i] == 'last-generated-id' then return about[i + 1] end
  end
end

local run_id, found = redis.call('INFO', 'server'):match('run_id:(%w+)'), {}
for i = 1, #KEYS, 2 do
  found[#found + 1] = last_id(KEYS[i])
  found[#found + 1] = redis.call('GET', KEYS[i + 1]) or '0'
  found[#found + 1] = run_id
end
return found
