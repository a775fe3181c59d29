#!lua
-- Loads an actor's saves from Postgres into Redis. Targets with pending changes are left as they are.
--
-- KEYS  1 the saves   2 the actor's pending changes
-- ARGV  1 read_ms: ms of this server's clock when Postgres was read   2 pending_ms
--       3 floor: the saves become complete down to this moment (0: complete); '' leaves their completeness as it is
--       4 cap of the saves    5 idle life, ms    6 prefix of the pending fields of saves
--       7… pairs: target, 'moment collection', newest first
-- Returns 1; or 0 if the read is so old that it may lack changes that have already left the pending set.
local saves, pending = KEYS[1], KEYS[2]
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
if now - tonumber(ARGV[1]) >= tonumber(ARGV[2]) then return 0 end

-- Saves below the floor are added while there is room, so that reading old pages cannot add them without bound.
local room = tonumber(ARGV[4]) * 1.1 - redis.call('HLEN', saves)
for i = 7, #ARGV, 2 do
  if ARGV[3] == '' and room <= 0 then break end
  if redis.call('HEXISTS', pending, ARGV[6] .. ARGV[i]) == 0 then
    room = room - redis.call('HSET', saves, ARGV[i], ARGV[i + 1])
  end
end
if ARGV[3] ~= '' then redis.call('HSETNX', saves, '0', ARGV[3]) end
redis.call('PEXPIRE', saves, ARGV[5])
return 1
