-- Serialized codes: batches of items, each with an id of its own that is printed once and verified by its first scan.

-- How many items a subscription has minted, and how many it has bought in addition to its plan's: a row to lock, so
-- that the quota is exact however many mints run concurrently. Without a row both are zero.
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
    -- The owner's notice on the whole batch; its items are still verified, and show it.
    notice          text CHECK (notice IN ('recalled', 'stolen')),
    -- The key that signs its items.
    key_generation  smallint NOT NULL,
    -- Items scanned at least once.
    scanned         integer NOT NULL DEFAULT 0,
    -- Grows by one with every change published to redirectors.
    version         bigint NOT NULL DEFAULT 1,
    created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    updated_at      timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE INDEX serialized_batches_by_workspace ON serialized_batches (workspace_id, seq DESC);
CREATE INDEX serialized_batches_by_key ON serialized_batches (key_generation);

-- No foreign key: checking it for every row would take longer than the COPY. Items are written and removed only with
-- their batch.
CREATE TABLE serialized_items (
    id                 text COLLATE "C" PRIMARY KEY,
    batch_id           text NOT NULL,
    -- From 1 to the batch's count.
    position           integer NOT NULL,
    scan_count         integer NOT NULL DEFAULT 0,
    first_scanned_at   timestamptz,
    -- ISO 3166-1 alpha-2; empty if unknown.
    first_scan_country text,
    last_scanned_at    timestamptz,
    last_scan_country  text,
    -- Any report of an item's scans claims the item, since each names the claiming scan. That scan is counted from then
    -- on, and reports itself once.
    claim_reported     boolean NOT NULL DEFAULT false,
    UNIQUE (batch_id, position)
) WITH (fillfactor = 90);

-- Mints, and exports of every kind.
CREATE TABLE serialized_jobs (
    id           text PRIMARY KEY REFERENCES jobs (id),
    batch_id     text NOT NULL REFERENCES serialized_batches (id),
    image_format text
);

CREATE INDEX serialized_jobs_by_batch ON serialized_jobs (batch_id);

-- Segments of verifications already received: a segment sent again because the answer was lost adds nothing.
CREATE TABLE serialized_segments (
    name     text PRIMARY KEY,
    taken_at timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX serialized_segments_by_time ON serialized_segments (taken_at);

-- Lines of segments that could not be counted. Lines beyond a segment's first hundred are only in the log and the
-- metrics.
CREATE TABLE serialized_rejected_lines (
    segment     text NOT NULL,
    -- Starts at 1.
    line        integer NOT NULL,
    problem     text NOT NULL,
    content     text NOT NULL,
    rejected_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (segment, line)
);

CREATE INDEX serialized_rejected_lines_by_time ON serialized_rejected_lines (rejected_at);

-- Exports of the pictures of serialized batches: their look, and their files in the storage.

CREATE TABLE serialized_exports (
    job_id       text PRIMARY KEY REFERENCES serialized_jobs (id),
    workspace_id text NOT NULL REFERENCES workspaces (id),
    -- The look, including its logo, as it was when the export was requested. Null once the files are removed.
    request      json,
    -- In the storage, counted for the workspace.
    kept_bytes   bigint NOT NULL DEFAULT 0,
    -- Size of the list at the end of the zip. Null before it is built.
    list_bytes   bigint,
    -- When its files were removed.
    removed_at   timestamptz
);

CREATE INDEX serialized_exports_kept ON serialized_exports (workspace_id) WHERE removed_at IS NULL;

-- The zip in pieces: each has the pictures of some items, in order, followed by a table of their sizes.
CREATE TABLE serialized_export_parts (
    job_id         text NOT NULL REFERENCES serialized_exports (job_id) ON DELETE CASCADE,
    -- Of its first item, from 1.
    first_position integer NOT NULL,
    items          integer NOT NULL CHECK (items > 0),
    key            text NOT NULL,
    -- Of the pictures, without the table.
    picture_bytes  bigint NOT NULL,
    PRIMARY KEY (job_id, first_position)
);

-- GS1 primary keys: which workspace may keep links at a key and below it.

-- A row stays when its key is given back: a version is never reused.
CREATE TABLE gs1_keys (
    -- Identifier and value as in a Digital Link: 01/09506000134352.
    key          text COLLATE "C" PRIMARY KEY,
    -- Null while the key has no owner.
    workspace_id text REFERENCES workspaces (id),
    entries      integer NOT NULL DEFAULT 0 CHECK (entries >= 0),
    -- Batches of serialized items with this key: its serials are verified.
    batches      integer NOT NULL DEFAULT 0 CHECK (batches >= 0),
    -- Grows by one with every change published to redirectors.
    version      bigint NOT NULL DEFAULT 1,
    CHECK (workspace_id IS NOT NULL OR (entries = 0 AND batches = 0))
);

CREATE TABLE gs1_entries (
    seq              bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    id               text COLLATE "C" PRIMARY KEY,
    workspace_id     text NOT NULL REFERENCES workspaces (id),
    key              text COLLATE "C" NOT NULL REFERENCES gs1_keys (key),
    -- Canonical: /01/09506000134352/10/ABC.
    path             text COLLATE "C" NOT NULL UNIQUE,
    item_description text NOT NULL,
    links            json NOT NULL,
    created_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
    updated_at       timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE INDEX gs1_entries_by_key ON gs1_entries (key);
CREATE INDEX gs1_entries_by_workspace ON gs1_entries (workspace_id, seq DESC);
