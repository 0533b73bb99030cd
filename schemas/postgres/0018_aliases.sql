-- Aliases: further short paths of codes. A row stays when its alias is deleted: what was printed is never another
-- workspace's.
CREATE TABLE aliases (
    seq          bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    -- Where it is unique: empty for the shared host, otherwise the workspace and its domain: ws_…/go.example.com. A
    -- domain that changes its owner begins without aliases.
    space        text COLLATE "C" NOT NULL,
    -- What it is looked up by, without regard to case. Redirectors hold all aliases with one slug as one document.
    slug         text COLLATE "C" NOT NULL,
    -- As it was given, in NFC.
    alias        text COLLATE "C" NOT NULL,
    workspace_id text NOT NULL REFERENCES workspaces (id),
    -- Null: the shared host.
    domain       text COLLATE "C",
    -- Of a deleted alias the code that it led to.
    code_id      text NOT NULL REFERENCES codes (id) ON DELETE CASCADE,
    -- Grows with every change. The version of the document is the sum over its rows, none of which is ever removed.
    version      bigint NOT NULL DEFAULT 1,
    created_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    deleted_at   timestamptz,
    PRIMARY KEY (space, slug, alias)
);

CREATE UNIQUE INDEX aliases_on_shared_host ON aliases (slug) WHERE domain IS NULL;
CREATE INDEX aliases_by_code ON aliases (code_id, seq) WHERE deleted_at IS NULL;
CREATE INDEX aliases_by_slug ON aliases (workspace_id, slug);

-- How many aliases a workspace has, deleted ones included: a row to lock, so that the limit holds.
CREATE TABLE alias_counts (
    workspace_id text PRIMARY KEY REFERENCES workspaces (id),
    aliases      bigint NOT NULL CHECK (aliases >= 0)
);

-- Whether aliases of the domain that differ by case are the same.
ALTER TABLE domains ADD COLUMN alias_case text NOT NULL DEFAULT 'fold' CHECK (alias_case IN ('fold', 'exact'));
