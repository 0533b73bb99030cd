-- The conversions that were reported: what tells a new one from a repeat, for all control planes. They themselves are in
-- ClickHouse (schemas/clickhouse/0007). A nightly task removes rows after 92 days; a scan can convert for 90.
CREATE TABLE conversion_keys (
    workspace_id text NOT NULL,
    -- The hash of the event with the external id, or with the scan.
    key          bytea NOT NULL,
    -- The hash of all that was sent: a repeat has the same.
    digest       bytea NOT NULL,
    id           text COLLATE "C" NOT NULL,
    claimed_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- Whether ClickHouse has it.
    recorded     boolean NOT NULL DEFAULT false,
    PRIMARY KEY (workspace_id, key)
) WITH (fillfactor = 90);

CREATE INDEX conversion_keys_by_age ON conversion_keys (claimed_at);
