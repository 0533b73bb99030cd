-- Whether scans of a code are recorded: 'full' or 'none'.
ALTER TABLE codes ADD COLUMN analytics text NOT NULL DEFAULT 'full'
  CONSTRAINT analytics_known CHECK (analytics IN ('full', 'none'));

-- What a workspace has set about its scans.
CREATE TABLE scan_settings (
    workspace_id   text COLLATE "C" PRIMARY KEY REFERENCES workspaces (id),
    -- For how many days its single scans are kept. Null: as long as the server keeps them.
    retention_days integer CHECK (retention_days > 0)
);

-- Paths of verified domains where codes were looked for and none is, by day: misprints. Bounded for each domain and day.
CREATE TABLE unknown_codes (
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces (id),
    domain       text COLLATE "C" NOT NULL,
    day          date NOT NULL,
    path         text COLLATE "C" NOT NULL,
    scans        bigint NOT NULL,
    last_at      timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, domain, day, path)
);

CREATE INDEX unknown_codes_by_day ON unknown_codes (day);

-- The reports of redirectors about them that were taken, and lines that were set aside.
CREATE TABLE unknown_code_segments (
    name     text COLLATE "C" PRIMARY KEY,
    taken_at timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX unknown_code_segments_by_time ON unknown_code_segments (taken_at);

CREATE TABLE unknown_code_rejected_lines (
    segment     text COLLATE "C" NOT NULL,
    line        integer NOT NULL,
    problem     text NOT NULL,
    content     text NOT NULL,
    rejected_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (segment, line)
);

CREATE INDEX unknown_code_rejected_lines_by_time ON unknown_code_rejected_lines (rejected_at);
