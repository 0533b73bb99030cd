-- A workspace's scans by quarter of an hour, without their codes: the days and hours of every time zone are made of whole
-- quarters, so its analytics are exact in every zone. A busy workspace has 8,640 quarters in 90 days, however many scans.
--
-- Visitors are sets that can be merged: uniqCombined with 4,096 registers, which takes at most 3 kB and is off by 1.6%
-- (standard error). Larger sets would take longer to merge than the scans to count.
CREATE TABLE IF NOT EXISTS scans_quarterly
(
    workspace_id LowCardinality(String),
    quarter      DateTime('UTC'),
    scans        SimpleAggregateFunction(sum, UInt64),
    bots         SimpleAggregateFunction(sum, UInt64),
    visitors     AggregateFunction(uniqCombined(12), UInt64)
)
ENGINE = AggregatingMergeTree
ORDER BY (workspace_id, quarter)
SETTINGS non_replicated_deduplication_window = 500000, index_granularity = 1024;

CREATE MATERIALIZED VIEW IF NOT EXISTS scans_quarterly_view TO scans_quarterly AS
SELECT
    workspace_id,
    toStartOfInterval(toDateTime(ts), INTERVAL 15 MINUTE) AS quarter,
    countIf(kind = 'scan') AS scans,
    countIf(kind = 'bot') AS bots,
    uniqCombinedStateIf(12)(visitor, kind = 'scan') AS visitors
FROM scans
GROUP BY workspace_id, quarter;

-- The dimension comes before the quarter: a query is about one of them.
CREATE TABLE IF NOT EXISTS scans_quarterly_breakdown
(
    workspace_id LowCardinality(String),
    dimension    LowCardinality(String),
    quarter      DateTime('UTC'),
    value        String,
    scans        SimpleAggregateFunction(sum, UInt64)
)
ENGINE = AggregatingMergeTree
ORDER BY (workspace_id, dimension, quarter, value)
SETTINGS non_replicated_deduplication_window = 500000, index_granularity = 1024;

CREATE MATERIALIZED VIEW IF NOT EXISTS scans_quarterly_breakdown_view TO scans_quarterly_breakdown AS
SELECT
    workspace_id,
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
    toStartOfInterval(toDateTime(ts), INTERVAL 15 MINUTE) AS quarter,
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
    (workspace_id, quarter, country),
    (workspace_id, quarter, device),
    (workspace_id, quarter, os),
    (workspace_id, quarter, browser),
    (workspace_id, quarter, referrer_host),
    (workspace_id, quarter, source),
    (workspace_id, quarter, variant_id),
    (workspace_id, quarter, rule_id)
)
HAVING value != '';

-- The scans of the last three months in the order in which they were recorded: what a client reads page by page, and what
-- analytics with filters read. In `scans` a workspace's last second is spread over all of its codes.
CREATE TABLE IF NOT EXISTS scan_log
(
    workspace_id  LowCardinality(String),
    recorded_at   DateTime64(3, 'UTC'),
    event_id      UUID,
    ts            DateTime64(3, 'UTC'),
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
    INDEX made_at ts TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree
PARTITION BY toMonday(recorded_at)
ORDER BY (workspace_id, recorded_at, event_id)
TTL toDateTime(recorded_at) + INTERVAL 92 DAY
SETTINGS non_replicated_deduplication_window = 500000, ttl_only_drop_parts = 1;

CREATE MATERIALIZED VIEW IF NOT EXISTS scan_log_view TO scan_log AS
SELECT
    workspace_id, now64(3) AS recorded_at, event_id, ts, code_id, kind, device, os, visitor, browser, country, referrer_host,
    source, variant_id, rule_id
FROM scans;
