-- Brand kits. `fields` holds what is set beside the name, in the API's own keys. A deleted kit is listed nowhere and can
-- be applied no more; the pictures of codes that were made with it stay as they are.
CREATE TABLE brand_kits (
    id           text PRIMARY KEY,
    workspace_id text NOT NULL REFERENCES workspaces (id),
    name         text NOT NULL,
    fields       jsonb NOT NULL,
    -- The id of the key.
    created_by   text NOT NULL,
    -- Grows by one with every change.
    version      bigint NOT NULL DEFAULT 1,
    created_at   timestamptz NOT NULL DEFAULT now(),
    updated_at   timestamptz NOT NULL DEFAULT now(),
    deleted_at   timestamptz
);

CREATE INDEX brand_kits_by_workspace ON brand_kits (workspace_id) WHERE deleted_at IS NULL;

-- How many kits a workspace has: a row to lock, so that the limit holds however many are made at the same time.
CREATE TABLE brand_kit_counts (
    workspace_id text PRIMARY KEY REFERENCES workspaces (id),
    kits         integer NOT NULL CHECK (kits >= 0)
);

-- What a kit's logoUrl answered when it was first needed: a picture must not change, nor fail, with somebody's server.
CREATE TABLE brand_kit_logos (
    kit_id     text PRIMARY KEY REFERENCES brand_kits (id),
    url        text NOT NULL,
    -- In base64, as styles have it.
    image      text NOT NULL,
    fetched_at timestamptz NOT NULL DEFAULT now()
);
