-- What lists of codes are searched, filtered and sorted by.

CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

-- The searched text of a code, in lower case, with a blank before each part. Not what is encrypted.
CREATE FUNCTION code_text(id text, name text, external_id text, encryption text, destination text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT lower(
        ' ' || id || ' ' || coalesce(name, '') || ' ' || coalesce(external_id, '') || ' '
            || CASE WHEN encryption IS NULL THEN left(destination, 500) ELSE '' END
    )
$$;

-- One index for every combination: it reads the list of the rarest key, and looks up the others. A new code waits in a list
-- that each search reads: it is kept short.
CREATE INDEX codes_search ON codes USING gin (
    workspace_id, code_text(id, name, external_id, encryption, destination) gin_trgm_ops, tag_ids, data_type, status,
    folder_id, code_host(data_type, encryption, destination), created_by
) WITH (gin_pending_list_limit = 512);

-- Each order, ascending and descending.
CREATE INDEX codes_by_archive ON codes (workspace_id, archived, seq);
CREATE INDEX codes_by_creation ON codes (workspace_id, created_at, seq);
CREATE INDEX codes_by_update ON codes (workspace_id, updated_at, seq);
CREATE INDEX codes_by_name ON codes (workspace_id, (lower(coalesce(name, '')) COLLATE "C"), seq);
CREATE INDEX codes_by_folder ON codes (workspace_id, folder_id, seq) WHERE folder_id IS NOT NULL;

-- What lists know of the scans of codes: copied from ClickHouse once a minute. Beside the code, because its row has indexes
-- that a count would have to be written to, and a lock that a change of the code would wait for.
CREATE TABLE code_scans (
    code_id         text PRIMARY KEY,
    workspace_id    text NOT NULL,
    seq             bigint NOT NULL,
    scans           bigint NOT NULL DEFAULT 0,
    -- -infinity: never.
    last_scanned_at timestamptz NOT NULL DEFAULT '-infinity',
    -- How many scans of the cap with this epoch are used.
    cap_epoch       bigint,
    cap_taken       bigint
) WITH (fillfactor = 80);

INSERT INTO code_scans (code_id, workspace_id, seq) SELECT id, workspace_id, seq FROM codes;

CREATE INDEX code_scans_by_scans ON code_scans (workspace_id, scans, seq);
CREATE INDEX code_scans_by_last ON code_scans (workspace_id, last_scanned_at, seq);

CREATE FUNCTION add_code_scans() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO code_scans (code_id, workspace_id, seq) SELECT id, workspace_id, seq FROM new_rows;
    RETURN NULL;
END $$;

CREATE TRIGGER codes_get_scans AFTER INSERT ON codes
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION add_code_scans();

-- How far the copy is. One row.
CREATE TABLE code_scans_progress (
    is_one       boolean PRIMARY KEY DEFAULT true CHECK (is_one),
    -- Scans that ClickHouse had by then, by its clock, are copied; null before the first copy.
    copied_to    timestamptz,
    -- All codes up to this one have been copied since; null if all have.
    all_after_id text DEFAULT '',
    -- By the process that copies now.
    held_until   timestamptz NOT NULL DEFAULT '-infinity'
);

INSERT INTO code_scans_progress DEFAULT VALUES;
