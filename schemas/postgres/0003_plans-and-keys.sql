-- What a subscription may use beyond, or short of, its plan: {"dynamicQr": 5000, "apiCalls": null}. Null is without limit.
ALTER TABLE subscriptions
    ADD COLUMN status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'past_due', 'cancelled')),
    ADD COLUMN limits jsonb NOT NULL DEFAULT '{}';

-- Scopes are kept for integrators who send them; every key has the whole of its role.
ALTER TABLE api_keys
    ADD COLUMN name   text,
    ADD COLUMN role   text NOT NULL DEFAULT 'owner' CHECK (role IN ('owner', 'admin', 'member')),
    ADD COLUMN scopes text[] NOT NULL DEFAULT '{}';

CREATE INDEX api_keys_by_workspace ON api_keys (workspace_id);
CREATE INDEX workspaces_by_subscription ON workspaces (subscription_id);

-- Every control plane listens: what it remembers of keys and plans is forgotten as soon as one of them changes, whoever
-- changed it. The bound on what it remembers does the rest while a connection is lost.
CREATE FUNCTION announce_tenancy_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NOTIFY waymark_tenancy;
    RETURN NULL;
END $$;

CREATE TRIGGER api_keys_announced AFTER UPDATE OR DELETE ON api_keys
    FOR EACH STATEMENT EXECUTE FUNCTION announce_tenancy_change();
CREATE TRIGGER subscriptions_announced AFTER UPDATE OR DELETE ON subscriptions
    FOR EACH STATEMENT EXECUTE FUNCTION announce_tenancy_change();
CREATE TRIGGER workspaces_announced AFTER UPDATE OR DELETE ON workspaces
    FOR EACH STATEMENT EXECUTE FUNCTION announce_tenancy_change();

-- How much of a quota is used up in the period that begins on a day (in UTC; a lifetime begins in 1970).
CREATE TABLE quota_usage (
    subscription_id text NOT NULL REFERENCES subscriptions (id),
    capability      text NOT NULL,
    period_start    date NOT NULL,
    used            bigint NOT NULL,
    PRIMARY KEY (subscription_id, capability, period_start)
);

-- Answers to requests with an Idempotency-Key, for as long as they are repeated. Both the key and the request are
-- stored as keyed hashes: a request may hold a password.
CREATE TABLE idempotent_answers (
    workspace_id text NOT NULL REFERENCES workspaces (id),
    key_mac      bytea NOT NULL,
    request_mac  bytea NOT NULL,
    -- Null only within the transaction that makes the answer.
    status       smallint,
    headers      json,
    body         text,
    created_at   timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (workspace_id, key_mac)
);

CREATE INDEX idempotent_answers_by_age ON idempotent_answers (created_at);
