-- Serialized codes: batches of items, each with an id of its own that is printed once and verified by its first scan.

-- How many items a subscription has minted, and how many it has bought beside those of its plan: a row to lock, so that the quota
-- is exact however many mints run at the same time. Without a row both are zero.
CREATE TABLE serialized_quotas (
    subscription_id text PRIMARY KEY REFERENCES subscriptions (id),
    purchased       integer NOT NULL DEFAULT 0 CHECK (purchased >= 0),
    minted          integer NOT NULL DEFAULT 0 CHECK (minted >= 0)
);

CREATE TABLE serialized_batches (
    id              text PRIMARY KEY,
    -- Order of creation.
    seq             bigint GENERATED ALWAYS AS IDENTITY,
    workspace_id    text NOT NULL REFERENCES workspaces (id),
    subscription_id text NOT NULL REFERENCES subscriptions (id),
    name            text NOT NULL,
    product_sku     text,
    product_name    text,
    -- 14 digits.
    gtin            text,
    brand_name      text,
    count           integer NOT NULL CHECK (count BETWEEN 1 AND 50000),
    status          text NOT NULL DEFAULT 'minting' CHECK (status IN ('minting', 'completed', 'failed')),
    -- What its owner has said of the whole batch; its items are still verified, and say so.
    notice          text CHECK (notice IN ('recalled', 'stolen')),
    -- The key that its items are signed with.
    key_generation  smallint NOT NULL,
    -- Items that were scanned at least once.
    scanned         integer NOT NULL DEFAULT 0,
    -- Grows by one with every change that redirectors are told of.
    version         bigint NOT NULL DEFAULT 1,
    created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    updated_at      timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE INDEX serialized_batches_by_workspace ON serialized_batches (workspace_id, seq DESC);
CREATE INDEX serialized_batches_by_key ON serialized_batches (key_generation);

-- No foreign key: its check of every row would take longer than the COPY. Items are written and removed with their batch alone.
CREATE TABLE serialized_items (
    id                 text COLLATE "C" PRIMARY KEY,
    batch_id           text NOT NULL,
    -- From 1 to the batch's count.
    position           integer NOT NULL,
    scan_count         integer NOT NULL DEFAULT 0,
    first_scanned_at   timestamptz,
    -- ISO 3166-1 alpha-2; empty where it is not known.
    first_scan_country text,
    last_scanned_at    timestamptz,
    last_scan_country  text,
    UNIQUE (batch_id, position)
) WITH (fillfactor = 90);

CREATE TABLE serialized_jobs (
    id            text PRIMARY KEY,
    -- Order of creation.
    seq           bigint GENERATED ALWAYS AS IDENTITY,
    workspace_id  text NOT NULL REFERENCES workspaces (id),
    batch_id      text NOT NULL REFERENCES serialized_batches (id),
    type          text NOT NULL,
    status        text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'processing', 'completed', 'failed')),
    count         integer NOT NULL CHECK (count > 0),
    items_written integer NOT NULL DEFAULT 0,
    image_format  text,
    -- What the call has asked for besides.
    options       json NOT NULL DEFAULT '{}',
    -- Why it failed, for its owner.
    error         text,
    -- How often its work has failed since it last made progress.
    failures      smallint NOT NULL DEFAULT 0,
    -- Since when nothing of it could be done, because something is away. Null where something was.
    held_up_since timestamptz,
    -- Until when its result can be fetched, where that has an end.
    result_until  timestamptz,
    created_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    updated_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    completed_at  timestamptz
);

CREATE INDEX serialized_jobs_unfinished ON serialized_jobs (batch_id) WHERE status IN ('pending', 'processing');
CREATE INDEX serialized_jobs_in_turn ON serialized_jobs (workspace_id, seq) WHERE status IN ('pending', 'processing');

-- The segments of verifications that were taken: one that a redirector sends again, because the answer was lost, adds nothing.
CREATE TABLE serialized_segments (
    name     text PRIMARY KEY,
    taken_at timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX serialized_segments_by_time ON serialized_segments (taken_at);

-- A mint is done once for its key for longer than other requests are, which have 24 hours.
ALTER TABLE idempotent_answers ADD COLUMN valid_hours integer NOT NULL DEFAULT 24;
