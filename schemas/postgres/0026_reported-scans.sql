-- Scans that redirectors report because a webhook follows them, and what redirectors know of workspaces.

-- Versions of what redirectors know of a workspace: one without a row has the first.
CREATE TABLE workspace_versions (
    workspace_id text COLLATE "C" PRIMARY KEY REFERENCES workspaces (id),
    version      bigint NOT NULL
);

-- The segments of scans that were taken: one that a redirector sends again, because the answer was lost, adds nothing.
CREATE TABLE webhook_scan_segments (
    name     text PRIMARY KEY,
    taken_at timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX webhook_scan_segments_by_time ON webhook_scan_segments (taken_at);

-- Lines of such segments that could not be counted, as serialized_rejected_lines.
CREATE TABLE webhook_rejected_scans (
    segment     text NOT NULL,
    -- From 1 on.
    line        integer NOT NULL,
    problem     text NOT NULL,
    content     text NOT NULL,
    rejected_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (segment, line)
);

CREATE INDEX webhook_rejected_scans_by_time ON webhook_rejected_scans (rejected_at);

-- Scans that wait for their batch, for each webhook that has them in batches. A row is removed where its batch is put into the queue. Rows
-- do not reference their webhook, as those of webhook_queue.
CREATE TABLE webhook_collected_scans (
    webhook_id   text COLLATE "C" NOT NULL,
    seq          bigint GENERATED ALWAYS AS IDENTITY,
    event_id     text NOT NULL,
    placed_at    timestamptz NOT NULL,
    -- What it takes in the body of a batch, about.
    bytes        integer NOT NULL,
    collected_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (webhook_id, seq)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
