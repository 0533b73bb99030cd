-- Codes whose newest version may not have reached Redis. A row is written in the transaction that changes the code, and
-- removed once that version is published. Not a job of the queue: adding one notifies, and PostgreSQL lets
-- only one transaction at a time commit with a notification.
CREATE TABLE unpublished_codes (
    code_id    text PRIMARY KEY,
    version    bigint NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT now()
) WITH (
    -- Rows live for milliseconds.
    autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, fillfactor = 50
);

CREATE INDEX unpublished_codes_by_age ON unpublished_codes (changed_at);
