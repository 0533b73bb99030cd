-- Domains of workspaces: who has proven to own a name, and the codes that are printed with it.

-- Names that were verified at some time, as redirectors know them. A row stays when its domain is deleted: a version is never
-- given twice.
CREATE TABLE domain_names (
    -- ASCII, in lower case, without a dot at the end.
    domain      text COLLATE "C" PRIMARY KEY,
    -- Of the document: grows by one with every change that redirectors are told of.
    version     bigint NOT NULL DEFAULT 1,
    -- When the edge was first allowed a certificate for it.
    approved_at timestamptz,
    -- The workspace that had the name then. It stays when the domain is deleted: what a workspace has used of its share counts on.
    -- Null: never.
    approved_for text
);

CREATE INDEX domain_names_by_approval ON domain_names (approved_at) WHERE approved_at IS NOT NULL;

CREATE INDEX domain_names_by_workspace ON domain_names (approved_for, approved_at) WHERE approved_for IS NOT NULL;

CREATE TABLE domains (
    seq              bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    id               text COLLATE "C" PRIMARY KEY,
    workspace_id     text NOT NULL REFERENCES workspaces (id),
    domain           text COLLATE "C" NOT NULL,
    -- What the TXT record must say.
    token            text NOT NULL,
    status           text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'verified', 'missing', 'off')),
    is_primary       boolean NOT NULL DEFAULT false,
    path             text NOT NULL,
    -- What is before the id of a code that is printed with the domain.
    link_base        text GENERATED ALWAYS AS ('https://' || domain || path) STORED,
    -- Whether codes may have been printed with this path: then it stays.
    path_is_printed  boolean NOT NULL DEFAULT false,
    root_redirect    text,
    not_found        jsonb,
    verified_at      timestamptz,
    last_checked_at  timestamptz,
    last_check_error text,
    -- Looks in a row, without the record, of which the first was at absent_since.
    absences         integer NOT NULL DEFAULT 0,
    absent_since     timestamptz,
    missing_since    timestamptz,
    -- Looks since the domain was added, switched off, or looked up by its owner: the pauses between them grow.
    looks            integer NOT NULL DEFAULT 0,
    looking_since    timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- Null where nobody looks any more, unless its owner asks for it.
    next_look_at     timestamptz DEFAULT clock_timestamp() + interval '1 minute',
    -- Grows by one with every change that an event tells of.
    version          bigint NOT NULL DEFAULT 1,
    created_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
    updated_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
    UNIQUE (workspace_id, domain),
    CHECK (NOT is_primary OR status <> 'pending'),
    CHECK ((status IN ('missing', 'off')) = (missing_since IS NOT NULL))
);

-- A name belongs to one workspace at a time.
CREATE UNIQUE INDEX domains_verified ON domains (domain) WHERE status IN ('verified', 'missing');
CREATE INDEX domains_by_name ON domains (domain);
CREATE UNIQUE INDEX domains_primary ON domains (workspace_id) WHERE is_primary;
CREATE INDEX domains_by_look ON domains (next_look_at) WHERE next_look_at IS NOT NULL;
