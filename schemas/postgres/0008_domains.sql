-- Workspace domains: who has proven to own a name, and the codes printed with it.

-- Names verified at some time, as redirectors know them. A row stays when its domain is deleted: a version is never
-- reused.
CREATE TABLE domain_names (
    -- ASCII, in lower case, without a trailing dot.
    domain      text COLLATE "C" PRIMARY KEY,
    -- Of the document: grows by one with every change published to redirectors.
    version     bigint NOT NULL DEFAULT 1,
    -- When the edge was first allowed a certificate for it.
    approved_at timestamptz,
    -- The workspace that had the name then. It stays when the domain is deleted, and still counts towards that
    -- workspace's share. Null: never.
    approved_for text
);

CREATE INDEX domain_names_by_approval ON domain_names (approved_at) WHERE approved_at IS NOT NULL;

CREATE INDEX domain_names_by_workspace ON domain_names (approved_for, approved_at) WHERE approved_for IS NOT NULL;

CREATE TABLE domains (
    seq              bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    id               text COLLATE "C" PRIMARY KEY,
    workspace_id     text NOT NULL REFERENCES workspaces (id),
    domain           text COLLATE "C" NOT NULL,
    -- The required content of the TXT record.
    token            text NOT NULL,
    status           text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'verified', 'missing', 'off')),
    is_primary       boolean NOT NULL DEFAULT false,
    path             text NOT NULL,
    -- The prefix of a printed code's id on this domain.
    link_base        text GENERATED ALWAYS AS ('https://' || domain || path) STORED,
    -- Whether codes may have been printed with this path, which then stays.
    path_is_printed  boolean NOT NULL DEFAULT false,
    root_redirect    text,
    not_found        jsonb,
    verified_at      timestamptz,
    last_checked_at  timestamptz,
    last_check_error text,
    -- Consecutive checks that did not find the record, the first at absent_since.
    absences         integer NOT NULL DEFAULT 0,
    absent_since     timestamptz,
    missing_since    timestamptz,
    -- Checks since the domain was added, disabled, or checked by its owner: the intervals between them grow.
    checks           integer NOT NULL DEFAULT 0,
    checking_since   timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- Null if checks have ended, unless the owner asks for one.
    next_check_at    timestamptz DEFAULT clock_timestamp() + interval '1 minute',
    -- Grows by one with every change reported by an event.
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
CREATE INDEX domains_by_check ON domains (next_check_at) WHERE next_check_at IS NOT NULL;
