-- Exports of the pictures of serialized batches: what they look like, and what of them is in the storage.

CREATE TABLE serialized_exports (
    job_id       text PRIMARY KEY REFERENCES serialized_jobs (id),
    workspace_id text NOT NULL REFERENCES workspaces (id),
    -- The look, its logo included, as it was when the export was asked for. Null once the files are removed.
    request      json,
    -- How often its work was begun since it last came further: a process that is killed by it counts as well.
    attempts     smallint NOT NULL DEFAULT 0,
    -- In the storage, for the workspace.
    kept_bytes   bigint NOT NULL DEFAULT 0,
    -- Of the list at the end of the zip. Null before it is made.
    list_bytes   bigint,
    -- Its files are removed.
    removed_at   timestamptz
);

CREATE INDEX serialized_exports_kept ON serialized_exports (workspace_id) WHERE removed_at IS NULL;

-- The zip in pieces: each has the pictures of some items, in their order, and after them a table of their sizes.
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
