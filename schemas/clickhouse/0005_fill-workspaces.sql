-- Fills the tables of 0004 with the scans that were recorded before, then lets the table take scans again (0003). Migrations
-- run one at a time (control-plane/platform/db/migrate.ts). 50 million scans take some minutes; redirectors keep new ones on
-- their disks.
--
-- A run that was interrupted begins again. It may have lifted the constraint already, and ClickHouse may still be filling for
-- it, since a statement goes on when its connection is lost. So the constraint is set once more, and the fillings are ended
-- and waited for: from then on nothing but this run writes to the tables.
ALTER TABLE scans ADD CONSTRAINT IF NOT EXISTS views_exist CHECK workspace_id != workspace_id;

KILL QUERY WHERE current_database = currentDatabase() AND query_kind = 'Insert'
    AND match(query, 'INSERT INTO (scans_quarterly|scans_quarterly_breakdown|scan_log)[^a-z_]') SYNC;

-- An INSERT that had begun before the constraint is not refused, and is waited for. One that began later ends at once: after
-- a second, what still runs is an earlier one.
SELECT sleepEachRow(1)
FROM numbers(ifNull((
    SELECT count() > 0 FROM system.processes
    WHERE current_database = currentDatabase() AND query_kind = 'Insert' AND match(query, 'INSERT INTO scans[^a-z_]')
), 0));

SELECT sleepEachRow(0.25)
FROM numbers(ifNull((
    SELECT if(count() > 0, 120, 0) FROM system.processes
    WHERE current_database = currentDatabase() AND query_kind = 'Insert' AND match(query, 'INSERT INTO scans[^a-z_]')
        AND elapsed > 0.9
), 0))
SETTINGS max_block_size = 1;

TRUNCATE TABLE scans_quarterly;

INSERT INTO scans_quarterly
SELECT
    workspace_id,
    toStartOfInterval(toDateTime(ts), INTERVAL 15 MINUTE) AS quarter,
    countIf(kind = 'scan'),
    countIf(kind = 'bot'),
    uniqCombinedStateIf(12)(visitor, kind = 'scan')
FROM scans
GROUP BY workspace_id, quarter;

TRUNCATE TABLE scans_quarterly_breakdown;

INSERT INTO scans_quarterly_breakdown
SELECT
    workspace_id,
    dimension,
    toStartOfInterval(toDateTime(ts), INTERVAL 15 MINUTE) AS quarter,
    value,
    count()
FROM scans
ARRAY JOIN
    ['country', 'device', 'os', 'browser', 'referrer', 'source', 'variant', 'rule'] AS dimension,
    [toString(country), toString(device), toString(os), toString(browser), referrer_host, source, variant_id, rule_id] AS value
WHERE kind = 'scan' AND value != ''
GROUP BY workspace_id, dimension, quarter, value;

TRUNCATE TABLE scan_log;

-- When they were recorded is not known: about when they were made.
INSERT INTO scan_log
    (workspace_id, recorded_at, event_id, ts, code_id, kind, device, os, visitor, browser, country, referrer_host, source,
     variant_id, rule_id)
SELECT
    workspace_id, ts, event_id, ts, code_id, kind, device, os, visitor, browser, country, referrer_host, source, variant_id,
    rule_id
FROM scans
WHERE ts > now() - INTERVAL 92 DAY;

ALTER TABLE scans DROP CONSTRAINT IF EXISTS views_exist;
