-- Sends prepared requests in turn, and prints the result as one line of JSON.
-- Arguments: a file in which each request follows its length and a newline; a text that each answer must contain;
-- optionally a number: the numbers after it take the place of ten zeros in each request, so that no two are equal.

local requests, at, expected, number = {}, 0, nil, nil
local threads = {}

function setup(thread) table.insert(threads, thread) end

function init(args)
  local file = assert(io.open(args[1], "rb"))
  for length in function() return file:read("*n") end do
    file:read(1)
    table.insert(requests, file:read(length))
  end
  file:close()
  expected, number = args[2], tonumber(args[3])
  wrong = 0
end

function request()
  at = at % #requests + 1
  if not number then return requests[at] end
  number = number + 1
  return (requests[at]:gsub("0000000000", ("%010d"):format(number), 1))
end

function response(status, headers, body)
  if status ~= 200 or body:find('"errors":', 1, true) or not body:find(expected, 1, true) then wrong = wrong + 1 end
end

function done(summary, latency)
  local wrong = summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout
  for _, thread in ipairs(threads) do wrong = wrong + thread:get("wrong") end
  print(('{"answered": %d, "microseconds": %d, "wrong": %d}'):format(summary.requests, summary.duration, wrong))
end
