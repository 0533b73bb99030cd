-- Results of scans, such as purchases. A row repeats the columns of its scan, so that conversions are filtered and
-- grouped as scans are, without a join. It has nothing of the visitor.
--
-- PostgreSQL knows which conversions are new (schemas/postgres/0028). A call that was interrupted between the two writes the
-- same row again: readers use FINAL, and rows are ordered by what names a conversion.
CREATE TABLE IF NOT EXISTS conversions
(
    workspace_id  LowCardinality(String),
    -- Of the scan, as all columns up to rule_id.
    ts            DateTime64(3, 'UTC'),
    event_id      UUID,
    code_id       String,
    kind          Enum8('scan' = 0, 'bot' = 1),
    device        Enum8('mobile' = 0, 'tablet' = 1, 'desktop' = 2, 'bot' = 3),
    os            Enum8('other' = 0, 'ios' = 1, 'android' = 2, 'windows' = 3, 'macos' = 4, 'linux' = 5),
    browser       LowCardinality(String),
    country       LowCardinality(String),
    referrer_host String,
    source        String,
    variant_id    String,
    rule_id       String,
    conversion_id String,
    event         LowCardinality(String),
    occurred_at   DateTime64(3, 'UTC'),
    -- The value in ten-thousandths of the currency; without one both are empty.
    units         Int64,
    currency      LowCardinality(String)
)
ENGINE = ReplacingMergeTree
PARTITION BY toYYYYMM(ts)
ORDER BY (workspace_id, ts, event_id, conversion_id)
SETTINGS index_granularity = 1024, ttl_only_drop_parts = 1;
