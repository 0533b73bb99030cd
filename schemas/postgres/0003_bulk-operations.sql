-- Bulk operations: calls whose rows the queue processes slice by slice.
CREATE TABLE bulk_operations (
    id              text PRIMARY KEY,
    workspace_id    text NOT NULL REFERENCES workspaces (id),
    subscription_id text NOT NULL REFERENCES subscriptions (id),
    -- Order of submission: a workspace's oldest operation is processed first.
    seq             bigint GENERATED ALWAYS AS IDENTITY,
    kind            text NOT NULL,
    status          text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'processing', 'completed', 'failed')),
    total           integer NOT NULL CHECK (total > 0),
    succeeded       integer NOT NULL DEFAULT 0,
    failed          integer NOT NULL DEFAULT 0 CHECK (succeeded + failed <= total),
    -- Options for all rows together.
    options         json NOT NULL DEFAULT '{}',
    -- Each row uses one of this quota, and a failed row gives it back. Null: nothing is counted.
    quota           text,
    period_start    date,
    -- How often the last step was started.
    completions     smallint NOT NULL DEFAULT 0,
    created_at      timestamptz NOT NULL DEFAULT now(),
    updated_at      timestamptz NOT NULL DEFAULT now(),
    completed_at    timestamptz,
    -- The result is being sent to the client that holds this claim, until this deadline.
    claim_id        uuid,
    claimed_until   timestamptz,
    -- When and why the result was removed: it was fetched, or it expired.
    removed_at      timestamptz,
    removed_because text CHECK (removed_because IN ('fetched', 'expired')),
    -- Since when it has made no progress, because a dependency is down or it got no turn. Null if it progressed, and
    -- while it waits behind others.
    held_up_since   timestamptz,
    -- Bytes kept for it in the file storage: its zip, or the pictures for it.
    kept_bytes      bigint NOT NULL DEFAULT 0,
    -- Attempts at the last step that failed by themselves. Other attempts ended with their process or connection.
    completion_failures smallint NOT NULL DEFAULT 0,
    CHECK ((quota IS NULL) = (period_start IS NULL))
);

CREATE INDEX bulk_operations_unfinished ON bulk_operations (workspace_id, seq) WHERE status IN ('pending', 'processing');
CREATE INDEX bulk_operations_by_end ON bulk_operations (completed_at) WHERE completed_at IS NOT NULL;

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
