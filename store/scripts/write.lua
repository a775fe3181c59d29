#!lua
-- Appends a patch, a read mark, a report, an appeal, the removal of a follower, or a decision of moderation to the
-- journal, in one atomic step: checks the idempotency record, then writes the journal, the record, and the pending
-- change that the actor sees until it is published (W1, T2). Only patches and read marks have a pending change.
--
-- KEYS  1 journal   2 the actor's pending changes   3 idempotency record   4 the count of the actor's records
--       5 the journal's generation
-- ARGV  1 kind of the journal entry      2 fingerprint of the input   3 idempotency record's life, ms
--       4 value to store in the outcome; '' for the journal id        5 bound of the journal
--       6 how many changes may be pending
--       7 the beginning of the pending field, which the journal id completes; '' if the actor is not shown the change
--       8 the journal entry's data         9 the caller's generation
-- Returns { 'DONE', the outcome }  { 'REPLAY', the recorded outcome }  { 'MISMATCH' }  { 'FULL' }  { 'BUSY' }
--         { 'MOVED' }
--         Only DONE changes anything.
local journal, written, record = KEYS[1], KEYS[2], KEYS[3]
local fingerprint, outcome, field, data = ARGV[2], ARGV[4], ARGV[7], ARGV[8]

local answer = answered(record, fingerprint)
if answer then return answer end
if redis.call('XLEN', journal) >= tonumber(ARGV[5]) then return { 'FULL' } end
if field ~= '' and redis.call('HLEN', written) >= tonumber(ARGV[6]) then return { 'BUSY' } end

local id = append(journal, record, 'kind', ARGV[1], 'data', data)
if field ~= '' then redis.call('HSET', written, field .. id, data) end
if outcome == '' then outcome = ' ' .. id end
remember(record, fingerprint, ARGV[3], outcome)
return { 'DONE', 'OK' .. outcome }
