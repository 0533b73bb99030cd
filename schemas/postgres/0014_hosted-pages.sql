-- Landing pages, forms and menus. `content` holds what is set beside the name and the status, in the API's own keys. A deleted one
-- is listed nowhere; its id is never used again. Each change notifies the channel `hosted_pages` of the id, in its transaction.
CREATE TABLE hosted_pages (
    id            text PRIMARY KEY,
    workspace_id  text NOT NULL REFERENCES workspaces (id),
    kind          text NOT NULL CHECK (kind IN ('landing_page', 'form', 'menu')),
    name          text NOT NULL,
    status        text NOT NULL CHECK (status IN ('active', 'paused')),
    content       jsonb NOT NULL,
    -- Lists are read in parts of a bounded size.
    content_bytes integer NOT NULL GENERATED ALWAYS AS (octet_length(content::text)) STORED,
    -- Grows by one with every change.
    version       bigint NOT NULL DEFAULT 1,
    -- The time of the row, not that of its transaction, which may have waited for another one.
    created_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    updated_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    deleted_at    timestamptz
);

CREATE INDEX hosted_pages_by_workspace ON hosted_pages (workspace_id, kind) WHERE deleted_at IS NULL;

-- How many a workspace has of each kind: a row to lock, so that the limit holds however many are made at the same time.
CREATE TABLE hosted_page_counts (
    workspace_id text NOT NULL REFERENCES workspaces (id),
    kind         text NOT NULL,
    pages        integer NOT NULL CHECK (pages >= 0),
    PRIMARY KEY (workspace_id, kind)
);

-- How often people have seen a page; without a row never.
CREATE TABLE hosted_page_views (
    page_id text PRIMARY KEY REFERENCES hosted_pages (id),
    views   bigint NOT NULL CHECK (views >= 0)
);

-- The last batch of views of each process that counts them: a batch that is sent again, because its answer was lost, adds nothing.
CREATE TABLE hosted_page_view_writers (
    writer_id  uuid PRIMARY KEY,
    sequence   bigint NOT NULL,
    flushed_at timestamptz NOT NULL DEFAULT now()
);
