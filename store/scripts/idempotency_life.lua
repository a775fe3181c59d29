-- How long idempotency records live. The loader inserts this part before the common part of actors' scripts.
-- An actor can make 1000 records in an hour that live for their whole life. Further ones live for a minute. So what the
-- records of an actor occupy is bounded.
local RECORDS, SHORT_MS, HOUR_MS = 1000, 60000, 3600000

local function life_of_record(made, life)
  if tonumber(life) <= SHORT_MS then return life end
  local count = redis.call('INCR', made)
  if count == 1 then redis.call('PEXPIRE', made, HOUR_MS) end
  return count > RECORDS and SHORT_MS or life
end
