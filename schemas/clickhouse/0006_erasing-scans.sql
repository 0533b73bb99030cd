-- Scans that are being erased. They are copied here first, so that what is taken off the sums and what is removed is the same,
-- whatever arrives meanwhile and however often a step is repeated. A partition is one attempt; it is dropped when it is done.
CREATE TABLE IF NOT EXISTS erasing_scans
(
    attempt       UUID,
    workspace_id  LowCardinality(String),
    code_id       String,
    event_id      UUID,
    ts            DateTime64(3, 'UTC'),
    kind          Enum8('scan' = 0, 'bot' = 1),
    device        Enum8('mobile' = 0, 'tablet' = 1, 'desktop' = 2, 'bot' = 3),
    os            Enum8('other' = 0, 'ios' = 1, 'android' = 2, 'windows' = 3, 'macos' = 4, 'linux' = 5),
    browser       LowCardinality(String),
    country       LowCardinality(String),
    referrer_host String,
    source        String,
    variant_id    String,
    rule_id       String
)
ENGINE = MergeTree
PARTITION BY attempt
ORDER BY (workspace_id, code_id, ts);
