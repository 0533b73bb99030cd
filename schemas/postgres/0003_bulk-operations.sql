-- Bulk operations: calls whose rows are worked off one slice after the other, in the queue.
CREATE TABLE bulk_operations (
    id              text PRIMARY KEY,
    workspace_id    text NOT NULL REFERENCES workspaces (id),
    subscription_id text NOT NULL REFERENCES subscriptions (id),
    -- Order of submission: the oldest one of a workspace is worked off first.
    seq             bigint GENERATED ALWAYS AS IDENTITY,
    kind            text NOT NULL,
    status          text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'processing', 'completed', 'failed')),
    total           integer NOT NULL CHECK (total > 0),
    succeeded       integer NOT NULL DEFAULT 0,
    failed          integer NOT NULL DEFAULT 0 CHECK (succeeded + failed <= total),
    -- What the kind was told about all rows together.
    options         json NOT NULL DEFAULT '{}',
    -- Each row uses one of this quota, and a row that fails gives it back. Null: nothing is counted.
    quota           text,
    period_start    date,
    -- How often the last step was begun.
    completions     smallint NOT NULL DEFAULT 0,
    created_at      timestamptz NOT NULL DEFAULT now(),
    updated_at      timestamptz NOT NULL DEFAULT now(),
    completed_at    timestamptz,
    -- The result is being sent to the client that has this claim, until that instant at the latest.
    claim_id        uuid,
    claimed_until   timestamptz,
    -- When the result was removed, and why: it was fetched, or nobody came.
    removed_at      timestamptz,
    removed_because text CHECK (removed_because IN ('fetched', 'expired')),
    -- Since when nothing of it could be done, because a dependency is away or no turn came. Null if something was done, and
    -- while it waits behind others.
    held_up_since   timestamptz,
    -- Bytes that the storage of files keeps for it: of its zip, or of the pictures that are to become one.
    kept_bytes      bigint NOT NULL DEFAULT 0,
    -- Attempts at the last step that failed by themselves. The others ended with their process, or with the connection.
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
    -- Sealed, since it may hold a password or a key; removed when the row is done.
    body     bytea,
    -- How often it was begun. What fails as a whole, or ends the process, is begun again in smaller slices.
    attempts smallint NOT NULL DEFAULT 0,
    -- Null while it waits.
    result   json,
    PRIMARY KEY (bulk_id, position),
    CHECK ((body IS NULL) = (result IS NOT NULL))
);

-- What is sealed cannot be compressed.
ALTER TABLE bulk_rows ALTER COLUMN body SET STORAGE EXTERNAL;

CREATE INDEX bulk_rows_waiting ON bulk_rows (bulk_id, attempts, position) WHERE result IS NULL;
