-- How many INSERTs back a retried batch is known, in the table of scans and in all that its views feed. All redirector
-- processes together aim at 20 INSERTs a second (CLICKHOUSE_INSERTS_PER_SECOND), of which this is 7 hours; 10,000 were 8
-- minutes. Each table holds a name for each INSERT in memory and in a log on disk, and only for INSERTs that there were: the
-- figures are in redirector/recording/clickhouse-sink.ts.
ALTER TABLE scans MODIFY SETTING non_replicated_deduplication_window = 500000;
ALTER TABLE scans_daily MODIFY SETTING non_replicated_deduplication_window = 500000;
ALTER TABLE scans_daily_breakdown MODIFY SETTING non_replicated_deduplication_window = 500000;
ALTER TABLE scan_changes MODIFY SETTING non_replicated_deduplication_window = 500000;
