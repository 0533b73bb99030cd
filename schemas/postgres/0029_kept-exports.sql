-- Exports whose file is kept for some days: jobs that write a part of it in each slice. The file is all parts, one after the
-- other; the storage has them.
CREATE TABLE kept_exports (
    job_id       text PRIMARY KEY REFERENCES jobs (id) ON DELETE CASCADE,
    workspace_id text NOT NULL REFERENCES workspaces (id),
    contents     text NOT NULL CHECK (contents IN ('codes', 'scans')),
    format       text NOT NULL CHECK (format IN ('ndjson', 'csv')),
    -- What is in it, as it was asked for.
    request      json NOT NULL,
    -- The last row of the last part, in the order of the file. Null before the first part.
    place        json,
    -- Of all parts.
    bytes        bigint NOT NULL DEFAULT 0,
    -- When its parts were removed from the storage.
    removed_at   timestamptz
);

CREATE INDEX kept_exports_by_workspace ON kept_exports (workspace_id);
CREATE INDEX kept_exports_with_files ON kept_exports (job_id) WHERE removed_at IS NULL;

CREATE TABLE kept_export_parts (
    job_id   text NOT NULL REFERENCES kept_exports (job_id) ON DELETE CASCADE,
    position integer NOT NULL,
    -- In the storage.
    key      text NOT NULL UNIQUE,
    bytes    bigint NOT NULL,
    PRIMARY KEY (job_id, position)
);
