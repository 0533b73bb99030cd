-- GS1 primary keys: who may keep links at one, and below it.

-- A row stays when its key is given back: a version is never given twice.
CREATE TABLE gs1_keys (
    -- Identifier and value as in a Digital Link: 01/09506000134352.
    key          text COLLATE "C" PRIMARY KEY,
    -- Null while the key is nobody's.
    workspace_id text REFERENCES workspaces (id),
    entries      integer NOT NULL DEFAULT 0 CHECK (entries >= 0),
    -- Batches of serialized items that have the key: its serials are verified.
    batches      integer NOT NULL DEFAULT 0 CHECK (batches >= 0),
    -- Grows by one with every change that redirectors are told of.
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

-- Documents whose newest version may not have reached Redis, as unpublished_codes.
CREATE TABLE unpublished_documents (
    document_id text COLLATE "C" PRIMARY KEY,
    version     bigint NOT NULL,
    changed_at  timestamptz NOT NULL DEFAULT now(),
    state       text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'published', 'set_aside')),
    due_at      timestamptz NOT NULL DEFAULT now(),
    problem     text,
    CONSTRAINT problem_of_what_is_set_aside CHECK ((state = 'set_aside') = (problem IS NOT NULL))
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, fillfactor = 50);

CREATE INDEX unpublished_documents_by_due ON unpublished_documents (due_at) WHERE state <> 'set_aside';
