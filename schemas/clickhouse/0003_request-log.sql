-- Requests with an API key, for seven days: the call, its key and its outcome. No secret and no full
-- address is in it: control-plane/features/request-log removes them before a row leaves the process.
--
-- ClickHouse and not PostgreSQL: a busy workspace makes hundreds of rows a second, which are read by any of their
-- columns, and rarely. Here they are compressed by column, need no index for each filter, no WAL and no vacuum, and a
-- day is dropped as a whole.
-- Nothing depends on a row: while ClickHouse is away, requests are answered as ever, and their rows wait or are dropped.
CREATE TABLE IF NOT EXISTS request_log
(
    workspace_id    LowCardinality(String),
    at              DateTime64(3, 'UTC'),
    -- Orders the requests of a millisecond, and tells them apart.
    seq             String,
    request_id      String,
    method          LowCardinality(String),
    route           LowCardinality(String),
    path            String,
    status          UInt16,
    -- Empty for a success, as are the next two.
    error_code      LowCardinality(String),
    error_param     String,
    error_message   String,
    duration_ms     UInt32,
    key_id          LowCardinality(String),
    network         String,
    idempotency_key Bool,
    -- JSON, at most 8 kB; empty for a success, and if the body was no JSON.
    body            String,
    INDEX by_request request_id TYPE bloom_filter GRANULARITY 4
)
ENGINE = MergeTree
PARTITION BY toDate(at)
ORDER BY (workspace_id, at, seq)
TTL toDateTime(at) + INTERVAL 7 DAY
SETTINGS non_replicated_deduplication_window = 10000, ttl_only_drop_parts = 1;
