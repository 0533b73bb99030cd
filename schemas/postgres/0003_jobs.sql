-- Jobs: work that is done in slices after its call was answered. Each kind keeps what only it knows in tables of its own.
CREATE TABLE jobs (
    id            text PRIMARY KEY,
    -- Order of creation.
    seq           bigint GENERATED ALWAYS AS IDENTITY,
    workspace_id  text NOT NULL REFERENCES workspaces (id),
    kind          text NOT NULL,
    -- A workspace has one slice at a time in each lane.
    lane          text NOT NULL,
    status        text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'processing', 'completed', 'failed')),
    -- Items to be done. Null: their number is not known.
    total         integer CHECK (total > 0),
    done          integer NOT NULL DEFAULT 0 CHECK (done <= total),
    -- Why it failed, for its owner.
    error         text,
    -- Since its last progress: slices begun, including those of processes that were killed, and slices that failed by
    -- themselves.
    attempts      smallint NOT NULL DEFAULT 0,
    failures      smallint NOT NULL DEFAULT 0,
    -- Since when it has made no progress, because a dependency is down. Null if it progressed.
    held_up_since timestamptz,
    -- Until then, other jobs of its lane go first.
    aside_until   timestamptz,
    -- How long its result can be fetched, if limited.
    result_until  timestamptz,
    created_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    updated_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    completed_at  timestamptz,
    CHECK ((completed_at IS NOT NULL) = (status IN ('completed', 'failed')))
);

CREATE INDEX jobs_unfinished ON jobs (workspace_id, lane, seq) WHERE status IN ('pending', 'processing');
CREATE INDEX jobs_by_end ON jobs (kind, completed_at) WHERE completed_at IS NOT NULL;
