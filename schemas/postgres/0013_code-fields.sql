-- What the owner of a code keeps beside it.
ALTER TABLE codes
    -- The owner's own id of the code.
    ADD COLUMN external_id text,
    -- An object whose values are strings.
    ADD COLUMN metadata    jsonb,
    ADD COLUMN notes       text,
    -- The id of the key that created it; null for codes that are older than this column.
    ADD COLUMN created_by  text;

CREATE UNIQUE INDEX codes_by_external_id ON codes (workspace_id, external_id) WHERE external_id IS NOT NULL;
