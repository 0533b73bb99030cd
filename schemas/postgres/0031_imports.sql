-- Imports: the links of another service, read from a file, checked, and made into codes.

ALTER TABLE codes
    ADD COLUMN import_id           text,
    -- What the other service had counted. It is never added to our own counts.
    ADD COLUMN imported_scan_count bigint;
-- Not checked for the codes there are, which have none: that would read them all.
ALTER TABLE codes ADD CONSTRAINT codes_imported_scan_count_check CHECK (imported_scan_count >= 0) NOT VALID;

CREATE TABLE imports (
    -- Also that of the job that checks it.
    id              text PRIMARY KEY REFERENCES jobs (id) ON DELETE CASCADE,
    workspace_id    text NOT NULL REFERENCES workspaces (id),
    subscription_id text NOT NULL REFERENCES subscriptions (id),
    -- The job that creates the codes; null until it is started.
    run_id          text UNIQUE REFERENCES jobs (id),
    source          text NOT NULL,
    -- Whether the source was recognised by the columns of the file.
    source_detected boolean NOT NULL,
    -- Where the short codes live on as aliases; null: the shared host.
    domain          text,
    -- Only links of this host were taken from the file; null: all.
    host            text,
    -- Links of other hosts, which were left out.
    skipped         integer NOT NULL,
    -- The hosts on which the links are printed, with their numbers.
    hosts           json NOT NULL,
    -- What was assumed when the file was read: sentences.
    notes           json NOT NULL,
    ready           integer NOT NULL DEFAULT 0,
    refused         integer NOT NULL DEFAULT 0,
    created         integer NOT NULL DEFAULT 0,
    failed          integer NOT NULL DEFAULT 0,
    -- Aliases that the ready rows take.
    aliases         integer NOT NULL DEFAULT 0,
    -- How many rows were refused or failed, by reason.
    reasons         json NOT NULL DEFAULT '{}',
    cancelled_at    timestamptz,
    -- Each row uses one of this quota, and a failed row gives it back. Null: nothing is counted.
    quota           text,
    period_start    date,
    CHECK ((quota IS NULL) = (period_start IS NULL))
);

CREATE INDEX imports_by_workspace ON imports (workspace_id);

CREATE TABLE import_rows (
    import_id text NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
    position  integer NOT NULL,
    -- What was read.
    link      json NOT NULL,
    -- `waiting`: for the check. `ready`: the check found nothing.
    state     text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'ready', 'refused', 'created', 'failed')),
    -- How often it was begun in this state. A slice that fails as a whole, or ends the process, is retried in smaller slices.
    attempts  smallint NOT NULL DEFAULT 0,
    -- Why it was refused, or failed.
    reason    text,
    -- What else became of it.
    result    json,
    PRIMARY KEY (import_id, position)
);

CREATE INDEX import_rows_waiting ON import_rows (import_id, state, attempts, position)
    WHERE state IN ('waiting', 'ready');
