-- What a key may do beyond its role, and from where. Null is without a restriction.
ALTER TABLE api_keys
    ADD COLUMN seq         bigint GENERATED ALWAYS AS IDENTITY,
    ADD COLUMN permissions text[],
    -- CIDRs.
    ADD COLUMN allowed_ips text[],
    ADD COLUMN expires_at  timestamptz,
    -- The id of the key that created it; null: an operator did.
    ADD COLUMN created_by  text;

CREATE INDEX api_keys_listed ON api_keys (workspace_id, seq);

-- Earlier secrets of a key: after a rotation they work until the grace ends.
CREATE TABLE api_key_graces (
    key_hash    bytea PRIMARY KEY,
    key_id      text NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
    works_until timestamptz NOT NULL
);

CREATE INDEX api_key_graces_by_key ON api_key_graces (key_id);

-- Beside api_keys, whose changes make every process read its keys again.
CREATE TABLE api_key_uses (
    key_id  text PRIMARY KEY REFERENCES api_keys (id) ON DELETE CASCADE,
    used_at timestamptz NOT NULL
) WITH (fillfactor = 50);
