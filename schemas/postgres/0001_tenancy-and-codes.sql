-- Tenancy: a subscription pays, its workspaces hold the resources, a key opens one workspace.
CREATE TABLE subscriptions (
    id         text PRIMARY KEY,
    plan       text NOT NULL CHECK (plan IN ('free', 'starter', 'growth', 'business', 'enterprise')),
    created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE workspaces (
    id              text PRIMARY KEY,
    subscription_id text NOT NULL REFERENCES subscriptions (id),
    name            text NOT NULL,
    created_at      timestamptz NOT NULL DEFAULT now()
);

-- Only the SHA-256 of a key is stored: keys carry 190 bits of randomness, so a slow hash would add nothing.
CREATE TABLE api_keys (
    id           text PRIMARY KEY,
    workspace_id text NOT NULL REFERENCES workspaces (id),
    prefix       text NOT NULL,
    key_hash     bytea NOT NULL UNIQUE,
    created_at   timestamptz NOT NULL DEFAULT now(),
    revoked_at   timestamptz
);

CREATE TABLE codes (
    id           text PRIMARY KEY,
    workspace_id text NOT NULL REFERENCES workspaces (id),
    -- Creation order; the key of the list's cursor.
    seq          bigint GENERATED ALWAYS AS IDENTITY,
    name         text,
    data_type    text NOT NULL,
    destination  text NOT NULL,
    status       text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'inactive')),
    -- Grows with every change; a redirector never replaces a record by one of a lower version.
    version      bigint NOT NULL DEFAULT 1,
    created_at   timestamptz NOT NULL DEFAULT now(),
    updated_at   timestamptz NOT NULL DEFAULT now()
);

-- The list, newest first, whole and through each of its filters.
CREATE INDEX codes_by_workspace ON codes (workspace_id, seq DESC);
CREATE INDEX codes_by_type ON codes (workspace_id, data_type, seq DESC);
CREATE INDEX codes_by_status ON codes (workspace_id, status, seq DESC);

-- How many codes a workspace has, by what the list filters on, so that a total costs the same at ten million codes
-- as at ten. Each count is the sum of 16 slots, chosen by connection, so that concurrent creates in one workspace
-- do not wait for each other's row.
CREATE TABLE code_counts (
    workspace_id text NOT NULL,
    data_type    text NOT NULL,
    status       text NOT NULL,
    slot         smallint NOT NULL,
    codes        bigint NOT NULL,
    PRIMARY KEY (workspace_id, data_type, status, slot)
);

CREATE FUNCTION count_codes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO code_counts AS c (workspace_id, data_type, status, slot, codes)
        SELECT workspace_id, data_type, status, pg_backend_pid() % 16, count(*)
        FROM new_rows GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
        ON CONFLICT (workspace_id, data_type, status, slot) DO UPDATE SET codes = c.codes + excluded.codes;
    ELSE
        INSERT INTO code_counts AS c (workspace_id, data_type, status, slot, codes)
        SELECT workspace_id, data_type, status, pg_backend_pid() % 16, sum(delta)
        FROM (
            SELECT workspace_id, data_type, status, 1 AS delta FROM new_rows
            UNION ALL
            SELECT workspace_id, data_type, status, -1 FROM old_rows
        ) AS changes
        GROUP BY 1, 2, 3 HAVING sum(delta) <> 0 ORDER BY 1, 2, 3
        ON CONFLICT (workspace_id, data_type, status, slot) DO UPDATE SET codes = c.codes + excluded.codes;
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER codes_counted_on_insert AFTER INSERT ON codes
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_codes();
CREATE TRIGGER codes_counted_on_update AFTER UPDATE ON codes
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_codes();
