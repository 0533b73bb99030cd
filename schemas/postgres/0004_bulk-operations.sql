-- Bulk operations: jobs whose items are rows.
CREATE TABLE bulk_operations (
    id              text PRIMARY KEY REFERENCES jobs (id) ON DELETE CASCADE,
    workspace_id    text NOT NULL REFERENCES workspaces (id),
    subscription_id text NOT NULL REFERENCES subscriptions (id),
    succeeded       integer NOT NULL DEFAULT 0,
    failed          integer NOT NULL DEFAULT 0,
    -- Options for all rows together.
    options         json NOT NULL DEFAULT '{}',
    -- Each row uses one of this quota, and a failed row gives it back. Null: nothing is counted.
    quota           text,
    period_start    date,
    -- The result is being sent to the client that holds this claim, until this deadline.
    claim_id        uuid,
    claimed_until   timestamptz,
    -- When and why the result was removed: it was fetched, or it expired.
    removed_at      timestamptz,
    removed_because text CHECK (removed_because IN ('fetched', 'expired')),
    -- Bytes kept for it in the file storage: its zip, or the pictures for it.
    kept_bytes      bigint NOT NULL DEFAULT 0,
    CHECK ((quota IS NULL) = (period_start IS NULL))
);

CREATE INDEX bulk_operations_kept ON bulk_operations (workspace_id) WHERE kept_bytes > 0;

CREATE TABLE bulk_rows (
    bulk_id  text NOT NULL REFERENCES bulk_operations (id) ON DELETE CASCADE,
    position integer NOT NULL,
    uid      text NOT NULL,
    -- Sealed, since it may hold a password or a key; removed once the row is done.
    body     bytea,
    -- How often it was started. A slice that fails as a whole, or ends the process, is retried in smaller slices.
    attempts smallint NOT NULL DEFAULT 0,
    -- Null while it waits.
    result   json,
    PRIMARY KEY (bulk_id, position),
    CHECK ((body IS NULL) = (result IS NOT NULL))
);

-- Sealed bytes cannot be compressed.
ALTER TABLE bulk_rows ALTER COLUMN body SET STORAGE EXTERNAL;

CREATE INDEX bulk_rows_waiting ON bulk_rows (bulk_id, attempts, position) WHERE result IS NULL;
