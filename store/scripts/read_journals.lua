#!lua
-- Returns the last ids of journals, and the generations for which journals are open. On a cluster, each call has one
-- key: then a key whose slot is being moved is found on either server. Writes nothing, but is not declared so: a server
-- that takes no writes, because it is full or cannot save its data, then refuses this script like the scripts of users.
--
-- KEYS  journals and generations
-- ARGV  XINFO for each journal, GET for each generation
-- Returns two values for each key: the last id that the journal has ever given, or the generation ('' if there is no
--         such key); then the run id of the server.
local function last_id(journal)
  local about = redis.pcall('XINFO', 'STREAM', journal)
  if about.err then
    if about.err:find('no such key', 1, true) then return end
    error(about)
  end
  for i = 1, #about, 2 do
    if about[i] == 'last-generated-id' then return about[i + 1] end
  end
end

local run_id, found = redis.call('INFO', 'server'):match('run_id:(%w+)'), {}
for i, key in ipairs(KEYS) do
  found[#found + 1] = ARGV[i] == 'XINFO' and last_id(key) or ARGV[i] == 'GET' and redis.call('GET', key) or ''
  found[#found + 1] = run_id
end
return found
