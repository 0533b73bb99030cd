-- One row per recorded scan, ordered so that the rows of one code are adjacent.
--
-- The deduplication window makes a retried batch (same insert_deduplication_token) a no-op, here and in the tables fed
-- by the views below. It is a number of INSERTs. All redirector processes together aim at 20 a second
-- (CLICKHOUSE_INSERTS_PER_SECOND), so 500,000 cover 7 hours. Each table keeps a name for each past INSERT in memory and
-- in a log on disk; the figures are in redirector/recording/clickhouse-sink.ts.
--
-- SCAN_RETENTION_DAYS is applied as the table's TTL. A part is dropped whole once all its rows have expired, which
-- costs nothing; deleting single rows would rewrite the part.
--
-- A view sees only rows inserted after it was created, and redirectors may send at any moment. So the table accepts no
-- scans until all its views exist: 0002 lifts the constraint.
CREATE TABLE IF NOT EXISTS scans
(
    event_id      UUID,
    ts            DateTime64(3, 'UTC'),
    workspace_id  LowCardinality(String),
    code_id       String,
    kind          Enum8('scan' = 0, 'bot' = 1),
    device        Enum8('mobile' = 0, 'tablet' = 1, 'desktop' = 2, 'bot' = 3),
    os            Enum8('other' = 0, 'ios' = 1, 'android' = 2, 'windows' = 3, 'macos' = 4, 'linux' = 5),
    visitor       UInt64,
    browser       LowCardinality(String),
    country       LowCardinality(String),
    referrer_host String,
    source        String,
    variant_id    String,
    rule_id       String,
    CONSTRAINT views_exist CHECK workspace_id != workspace_id
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(ts)
ORDER BY (workspace_id, code_id, ts)
SETTINGS non_replicated_deduplication_window = 500000, ttl_only_drop_parts = 1;

-- One code's days are a few rows among millions: with granules of 8192 rows, most rows read belong to other codes. With
-- 1024, 90 days of one code among 50 million scans took 28 ms instead of 49.
CREATE TABLE IF NOT EXISTS scans_daily
(
    workspace_id LowCardinality(String),
    code_id      String,
    day          Date,
    scans        SimpleAggregateFunction(sum, UInt64),
    bots         SimpleAggregateFunction(sum, UInt64),
    visitors     AggregateFunction(uniq, UInt64)
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (workspace_id, code_id, day)
SETTINGS non_replicated_deduplication_window = 500000, index_granularity = 1024;

CREATE MATERIALIZED VIEW IF NOT EXISTS scans_daily_view TO scans_daily AS
SELECT
    workspace_id,
    code_id,
    toDate(ts) AS day,
    countIf(kind = 'scan') AS scans,
    countIf(kind = 'bot') AS bots,
    uniqStateIf(visitor, kind = 'scan') AS visitors
FROM scans
GROUP BY workspace_id, code_id, day;

CREATE TABLE IF NOT EXISTS scans_daily_breakdown
(
    workspace_id LowCardinality(String),
    code_id      String,
    day          Date,
    dimension    LowCardinality(String),
    value        String,
    scans        SimpleAggregateFunction(sum, UInt64)
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (workspace_id, code_id, day, dimension, value)
SETTINGS non_replicated_deduplication_window = 500000, index_granularity = 1024;

-- Dimensions without a value (no referrer, no variant, …) leave no row.
CREATE MATERIALIZED VIEW IF NOT EXISTS scans_daily_breakdown_view TO scans_daily_breakdown AS
SELECT
    workspace_id,
    code_id,
    toDate(ts) AS day,
    breakdown.1 AS dimension,
    breakdown.2 AS value,
    count() AS scans
FROM scans
ARRAY JOIN [
    ('country', toString(country)),
    ('device', toString(device)),
    ('os', toString(os)),
    ('browser', toString(browser)),
    ('referrer', referrer_host),
    ('source', source),
    ('variant', variant_id),
    ('rule', rule_id)
] AS breakdown
WHERE kind = 'scan' AND value != ''
GROUP BY workspace_id, code_id, day, dimension, value;

-- The codes scanned recently, by the time of recording, not of the scan, which may have waited in a spool. Tells the
-- control plane which of its cached counts are stale.
CREATE TABLE IF NOT EXISTS scan_changes
(
    recorded_at DateTime64(3, 'UTC'),
    code_id     String
)
ENGINE = MergeTree
ORDER BY recorded_at
TTL toDateTime(recorded_at) + INTERVAL 10 MINUTE
SETTINGS non_replicated_deduplication_window = 500000, ttl_only_drop_parts = 1;

CREATE MATERIALIZED VIEW IF NOT EXISTS scan_changes_view TO scan_changes AS
SELECT now64(3) AS recorded_at, code_id
FROM scans
WHERE kind = 'scan'
GROUP BY code_id;
