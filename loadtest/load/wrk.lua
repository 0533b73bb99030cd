-- Plays the requests of a file, one after the other, and prints what came of them as one line of JSON.
local requests = {}
local position = 0

function init(args)
  local file = assert(io.open(args[1], 'rb'))
  for request in file:read('*a'):gmatch('[^%z]+') do requests[#requests + 1] = request end
  file:close()
end

function request()
  position = position % #requests + 1
  return requests[position]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"durationMs":%f,"failed":%d,"readErrors":%d,"p50Ms":%f,"p99Ms":%f}\n',
    summary.requests, summary.duration / 1000,
    errors.connect + errors.write + errors.status + errors.timeout, errors.read,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end
