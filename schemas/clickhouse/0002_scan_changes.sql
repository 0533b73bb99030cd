-- The codes that were scanned lately, by the time of the record, not of the scan, which may have waited in a spool. It tells
-- the control plane which of the counts that it holds are no longer current.
CREATE TABLE IF NOT EXISTS scan_changes
(
    recorded_at DateTime64(3, 'UTC'),
    code_id     String
)
ENGINE = MergeTree
ORDER BY recorded_at
TTL toDateTime(recorded_at) + INTERVAL 10 MINUTE
SETTINGS non_replicated_deduplication_window = 10000, ttl_only_drop_parts = 1;

CREATE MATERIALIZED VIEW IF NOT EXISTS scan_changes_view TO scan_changes AS
SELECT now64(3) AS recorded_at, code_id
FROM scans
WHERE kind = 'scan'
GROUP BY code_id;
