-- The number of INSERTs for which a retried batch is recognised, in the table of scans and in those that its views feed. All
-- redirector processes together aim at 20 INSERTs a second (CLICKHOUSE_INSERTS_PER_SECOND): this is 7 hours of them, 10,000
-- were 8 minutes. Each table holds a name for each past INSERT in memory and in a log on disk; the figures are in
-- redirector/recording/clickhouse-sink.ts.
ALTER TABLE scans MODIFY SETTING non_replicated_deduplication_window = 500000;
ALTER TABLE scans_daily MODIFY SETTING non_replicated_deduplication_window = 500000;
ALTER TABLE scans_daily_breakdown MODIFY SETTING non_replicated_deduplication_window = 500000;
ALTER TABLE scan_changes MODIFY SETTING non_replicated_deduplication_window = 500000;
