-- Landing pages, forms and menus. `content` holds everything set except the name and the status, under the API's own
-- keys. A deleted page is in no list; its id is never reused. Each change notifies the channel `hosted_pages` of the
-- id, in its transaction.
CREATE TABLE hosted_pages (
    id            text PRIMARY KEY,
    workspace_id  text NOT NULL REFERENCES workspaces (id),
    kind          text NOT NULL CHECK (kind IN ('landing_page', 'form', 'menu')),
    name          text NOT NULL,
    status        text NOT NULL CHECK (status IN ('active', 'paused')),
    content       jsonb NOT NULL,
    -- Lists are read in parts of bounded size.
    content_bytes integer NOT NULL GENERATED ALWAYS AS (octet_length(content::text)) STORED,
    -- Grows by one with every change.
    version       bigint NOT NULL DEFAULT 1,
    -- The time of the row, not of its transaction, which may have waited for another one.
    created_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    updated_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    deleted_at    timestamptz,
    -- The language of its own texts, detected when they are written: '' if undetected.
    language      text NOT NULL
);

CREATE INDEX hosted_pages_by_workspace ON hosted_pages (workspace_id, kind) WHERE deleted_at IS NULL;

-- Deleted forms have submissions too.
CREATE INDEX hosted_pages_forms ON hosted_pages (workspace_id) WHERE kind = 'form';

-- How many pages of each kind a workspace has: a row to lock, so that the limit holds however many are created
-- concurrently.
CREATE TABLE hosted_page_counts (
    workspace_id text NOT NULL REFERENCES workspaces (id),
    kind         text NOT NULL,
    pages        integer NOT NULL CHECK (pages >= 0),
    PRIMARY KEY (workspace_id, kind)
);

-- How often people have viewed a page; no row means never.
CREATE TABLE hosted_page_views (
    page_id text PRIMARY KEY REFERENCES hosted_pages (id),
    views   bigint NOT NULL CHECK (views >= 0)
);

-- The last batch of views from each process that counts them: a batch sent again because its answer was lost adds
-- nothing.
CREATE TABLE hosted_page_view_writers (
    writer_id  uuid PRIMARY KEY,
    sequence   bigint NOT NULL,
    flushed_at timestamptz NOT NULL DEFAULT now()
);

-- Submissions of forms. They outlive their form, until they are purged.
CREATE TABLE form_submissions (
    form_id      text NOT NULL REFERENCES hosted_pages (id),
    -- Per form: 1, 2, 3 and so on, without a gap, in the order of created_at.
    seq          bigint NOT NULL,
    id           text NOT NULL,
    -- Of the page that was sent: one page stores one submission.
    nonce        bytea NOT NULL,
    -- By field id, in the form's order, except that whole-number ids come first, as in JavaScript. json, since jsonb
    -- would sort the names.
    field_values json NOT NULL,
    -- Lists are read in parts of bounded size.
    value_bytes  integer NOT NULL GENERATED ALWAYS AS (octet_length(field_values::text)) STORED,
    ip           text NOT NULL,
    user_agent   text NOT NULL,
    -- The page from which the visitor came to the form.
    referrer     text NOT NULL,
    created_at   timestamptz NOT NULL,
    PRIMARY KEY (form_id, seq),
    UNIQUE (form_id, nonce)
);

CREATE UNIQUE INDEX form_submissions_id ON form_submissions (form_id, id);

-- How many submissions a form has: a row to lock, so that the count and the order are exact however many are stored
-- concurrently.
CREATE TABLE form_submission_counts (
    form_id     text PRIMARY KEY REFERENCES hosted_pages (id),
    submissions bigint NOT NULL DEFAULT 0 CHECK (submissions >= 0),
    last_seq    bigint NOT NULL DEFAULT 0,
    -- Submissions up to this one are purged: they are no longer shown, and a job deletes their rows.
    purged_seq  bigint NOT NULL DEFAULT 0,
    -- Of the submissions; a workspace's total is bounded.
    bytes       bigint NOT NULL DEFAULT 0 CHECK (bytes >= 0),
    -- A single submission can be removed: its seq is then missing.
    CHECK (purged_seq <= last_seq AND submissions <= last_seq - purged_seq)
);

-- Jobs that delete the rows of purged submissions.
CREATE TABLE form_purges (
    id      text PRIMARY KEY REFERENCES jobs (id) ON DELETE CASCADE,
    form_id text NOT NULL REFERENCES hosted_pages (id)
);

-- Pictures uploaded by workspaces. Their files are in the storage, under the id.
CREATE TABLE uploaded_images (
    id            text PRIMARY KEY,
    workspace_id  text NOT NULL REFERENCES workspaces (id),
    kind          text NOT NULL CHECK (kind IN ('hero', 'avatar')),
    -- SHA-256 of the file as uploaded: the same file is stored once.
    digest        bytea NOT NULL,
    -- storing: some files may be there, and nothing refers to it. stored: all files are there. unused: all files are
    -- there, and nothing has referred to it for a while; it may be used again. removing: some files may be gone, and it
    -- is never used again.
    state         text NOT NULL DEFAULT 'storing' CHECK (state IN ('storing', 'stored', 'unused', 'removing')),
    -- Of the largest size, in pixels.
    width         integer,
    height        integer,
    -- In pixels, ascending.
    widths        integer[],
    jpeg_width    integer,
    -- A data: URL.
    placeholder   text,
    created_at    timestamptz NOT NULL DEFAULT now(),
    -- When an upload last started to store it.
    claimed_at    timestamptz NOT NULL DEFAULT now(),
    -- When a page was last known to refer to it, or to be about to.
    referenced_at timestamptz NOT NULL DEFAULT now(),
    unused_at     timestamptz,
    CHECK (state NOT IN ('stored', 'unused') OR (width IS NOT NULL AND height IS NOT NULL AND widths IS NOT NULL
        AND jpeg_width IS NOT NULL AND placeholder IS NOT NULL)),
    CHECK (state <> 'unused' OR unused_at IS NOT NULL)
);

-- An image that is being removed is not reused for the next upload of the same file.
CREATE UNIQUE INDEX uploaded_images_by_content ON uploaded_images (workspace_id, kind, digest) WHERE state <> 'removing';
CREATE INDEX uploaded_images_by_workspace ON uploaded_images (workspace_id);
CREATE INDEX uploaded_images_by_reference ON uploaded_images (referenced_at);
