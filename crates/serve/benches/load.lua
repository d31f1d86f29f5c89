-- Mixed questions: words, identifiers, meaning, filters, code like code. A thread begins anew after 403 of
-- them, by which no server that keeps answers could be measured; this one keeps none. With PAUSE a client
-- rests that many milliseconds after each answer, half as long to half as long again.
local shapes = {
  "/api/search?text=where+is+%s+%s",
  "/api/search?text=how+does+the+%s+handle+a+%s&limit=20",
  "/api/search?text=%s_%s&mode=lexical",
  "/api/search?text=prevent+%s+of+%s",
  "/api/search?text=%s.%s&languages=python",
  "/api/search?text=%s+that+finds+%s&mode=dense",
  "/api/search?text=%s+error+in+%s&mode=lexical&scope=code",
  "/api/search?text=%s+strings+%s&highlight=true",
  "/api/search?text=%s+expiry+%s&paths=django&expand=true",
  "/api/search?text=connect+%s+again+after+%s+was+lost",
  "/api/search?text=%s+and+%s&scope=docs",
  "/api/search?text=validate+%s+%s&fusion=ranks",
  "/api/status?skipped_limit=0&skipped_offset=0#%s%s",
}
local words = { "migration", "password", "queryset", "request", "template", "session", "cache", "form",
  "model", "field", "signal", "middleware", "view", "url", "transaction", "index", "token", "email",
  "upload", "locale", "timezone", "admin", "widget", "lookup", "aggregate", "cursor", "schema",
  "fixture", "storage", "header", "cookie" }
local turn, step = 0, 0
function setup(thread) thread:set("start", turn); turn = turn + 1 end
function init() turn = start * 7; step = start; math.randomseed(start + 1) end
local pause = tonumber(os.getenv("PAUSE") or 0)
if pause > 0 then
  function delay() return math.random(pause / 2, pause * 3 / 2) end
end
function request()
  turn = turn + 1
  step = step + 3
  local a, b = words[turn % #words + 1], words[(turn * 7 + step) % #words + 1]
  local path = string.format(shapes[turn % #shapes + 1], a, b)
  return wrk.format("GET", (path:gsub("#.*", "")))
end
function done(summary, latency)
  local e = summary.errors
  io.write(string.format("load %d requests, %.0f a second, p50 %.1f ms, p95 %.1f ms, p99 %.1f ms, errors %d\n",
    summary.requests, summary.requests / summary.duration * 1e6, latency:percentile(50) / 1e3,
    latency:percentile(95) / 1e3, latency:percentile(99) / 1e3, e.connect + e.read + e.write + e.status + e.timeout))
end
