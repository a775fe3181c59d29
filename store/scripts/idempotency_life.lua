-- How long idempotency records live. The loader inserts this part before the common part of actors' scripts.
-- The first 1000 records of an actor in an hour live as long as the command asks. Further ones live for a minute. So
-- the memory for the records of an actor is bounded.
local RECORDS, SHORT_MS, HOUR_MS = 1000, 60000, 3600000

local function life_of_record(made, life)
  if tonumber(life) <= SHORT_MS then return life end
  local count = redis.call('INCR', made)
  if count == 1 then redis.call('PEXPIRE', made, HOUR_MS) end
  return count > RECORDS and SHORT_MS or life
end
