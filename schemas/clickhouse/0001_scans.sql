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

-- The rollups have UTC days only. For another time zone, analytics take from them the days that are wholly inside the
-- window, and count the single scans at its ends (control-plane/features/codes/analytics/analytics.ts). A rollup of
-- quarters of an hour, which every zone's days could be summed from, was no faster: visitors take the time. They cannot
-- be added up, and merging 8,640 small sets of them takes about as long as counting the scans.
--
-- One code's days are a few rows among millions: with granules of 8192 rows, most rows read belong to other codes. With
-- 1024, 90 days of one code among 50 million scans took little more than half the time. The rollups are not partitioned by month:
-- a window of 90 days would read parts of four months, and nothing is ever dropped from them.
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
ORDER BY (workspace_id, code_id, day, dimension, value)
SETTINGS non_replicated_deduplication_window = 500000, index_granularity = 1024;

-- Dimensions without a value (no referrer, no variant, …) leave no row. Grouping sets aggregate each dimension from the
-- columns as they are. An ARRAY JOIN of all values would copy each scan eight times first: with it, inserts took 1.1 to 1.3
-- times the CPU.
CREATE MATERIALIZED VIEW IF NOT EXISTS scans_daily_breakdown_view TO scans_daily_breakdown AS
SELECT
    workspace_id,
    code_id,
    toDate(ts) AS day,
    multiIf(
        grouping(country) = 0, 'country',
        grouping(device) = 0, 'device',
        grouping(os) = 0, 'os',
        grouping(browser) = 0, 'browser',
        grouping(referrer_host) = 0, 'referrer',
        grouping(source) = 0, 'source',
        grouping(variant_id) = 0, 'variant',
        'rule'
    ) AS dimension,
    multiIf(
        grouping(country) = 0, toString(country),
        grouping(device) = 0, toString(device),
        grouping(os) = 0, toString(os),
        grouping(browser) = 0, toString(browser),
        grouping(referrer_host) = 0, toString(referrer_host),
        grouping(source) = 0, toString(source),
        grouping(variant_id) = 0, toString(variant_id),
        rule_id
    ) AS value,
    count() AS scans
FROM scans
WHERE kind = 'scan'
GROUP BY GROUPING SETS (
    (workspace_id, code_id, day, country),
    (workspace_id, code_id, day, device),
    (workspace_id, code_id, day, os),
    (workspace_id, code_id, day, browser),
    (workspace_id, code_id, day, referrer_host),
    (workspace_id, code_id, day, source),
    (workspace_id, code_id, day, variant_id),
    (workspace_id, code_id, day, rule_id)
)
HAVING value != '';

-- The codes scanned recently, by the time of recording, not of the scan, which may have waited in a spool. Tells the
-- control plane which of its cached counts are stale. Its view reads what the view of the days has just grouped.
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
FROM scans_daily
WHERE scans > 0;
