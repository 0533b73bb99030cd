-- The erasure of codes and of scans.

-- First, as the changes of codes lock them: a change of a code writes its counts.
LOCK TABLE codes, aliases, code_scans IN ACCESS EXCLUSIVE MODE;

-- The copy of scan counts (control-plane/features/codes/lists/copy-scans.ts). A run that is cut short continues at its place.
ALTER TABLE code_scans_progress
    -- Scans up to then are being copied; null if no run was cut short. The codes up to this one have been.
    ADD COLUMN copying_to       timestamptz,
    ADD COLUMN copying_after_id text NOT NULL DEFAULT '',
    -- The copy of all codes begins again when it is done.
    ADD COLUMN all_again        boolean NOT NULL DEFAULT false,
    -- Where the copy of caps of codes without recorded scans is.
    ADD COLUMN caps_after_id    text NOT NULL DEFAULT '',
    -- The run that copies now.
    ADD COLUMN held_by          uuid;

-- How often the scans of the code were erased: a count from before the last erasure is not written.
ALTER TABLE code_scans ADD COLUMN scans_erased integer NOT NULL DEFAULT 0;

-- Codes that were erased: the id is never another's, and redirectors answer its scans. The version goes on from the code's.
CREATE TABLE erased_codes (
    code_id      text PRIMARY KEY,
    workspace_id text NOT NULL REFERENCES workspaces (id),
    version      bigint NOT NULL,
    erased_at    timestamptz NOT NULL DEFAULT now()
);

-- The aliases of an erased code stay its own.
ALTER TABLE aliases DROP CONSTRAINT aliases_code_id_fkey;

CREATE FUNCTION uncount_codes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO code_counts AS c (workspace_id, data_type, status, archived, slot, codes)
    SELECT workspace_id, data_type, status, archived, pg_backend_pid() % 16, -count(*)
    FROM old_rows GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
    ON CONFLICT (workspace_id, data_type, status, archived, slot) DO UPDATE SET codes = c.codes + excluded.codes;
    INSERT INTO code_facets AS c (workspace_id, facet, value, archived, slot, codes)
    SELECT workspace_id, facet, value, archived, pg_backend_pid() % 16, -count(*)
    FROM old_rows, facets_of(folder_id, tag_ids, link_base, code_host(data_type, encryption, destination))
    GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
    ON CONFLICT (workspace_id, facet, value, archived, slot) DO UPDATE SET codes = c.codes + excluded.codes;
    RETURN NULL;
END $$;

CREATE TRIGGER codes_counted_on_delete AFTER DELETE ON codes
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION uncount_codes();

-- Erasures: of a code with its scans, or of its scans up to a moment. Each is a job with the same id. The rows stay: scans that
-- arrive late are erased by them.
CREATE TABLE erasures (
    id           text COLLATE "C" PRIMARY KEY,
    seq          bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    workspace_id text NOT NULL REFERENCES workspaces (id),
    code_id      text NOT NULL,
    what         text NOT NULL CHECK (what IN ('code', 'scans')),
    state        text NOT NULL DEFAULT 'asked' CHECK (state IN ('asked', 'erasing', 'erased')),
    -- Scans made until then; infinity: all.
    up_to        timestamptz NOT NULL,
    -- What of it is next in PostgreSQL: null if that is done.
    step         text CHECK (step IN ('history', 'events')),
    -- The last event that was looked at.
    event_at     timestamptz NOT NULL DEFAULT '-infinity',
    event_id     text NOT NULL DEFAULT '',
    -- Where its scans in ClickHouse are: a round takes the waiting ones.
    scans        text NOT NULL DEFAULT 'later' CHECK (scans IN ('later', 'waiting', 'taken', 'gone')),
    scans_erased bigint NOT NULL DEFAULT 0,
    asked_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
    erased_at    timestamptz,
    CHECK ((erased_at IS NOT NULL) = (state = 'erased'))
);

CREATE INDEX erasures_by_workspace ON erasures (workspace_id, seq DESC);
CREATE INDEX erasures_by_code ON erasures (code_id, seq DESC);
CREATE INDEX erasures_waiting ON erasures (seq) WHERE scans = 'waiting';

-- The round that removes scans of many erasures from ClickHouse together. One row.
CREATE TABLE erasure_round (
    is_one     boolean PRIMARY KEY DEFAULT true CHECK (is_one),
    -- By the process that works on it now.
    held_until timestamptz NOT NULL DEFAULT '-infinity',
    held_by    uuid,
    -- Empty between two rounds.
    erasures   text[] NOT NULL DEFAULT '{}',
    -- The scans that were staged for it; null until they are.
    attempt    uuid,
    -- What is done of it since.
    steps      text[] NOT NULL DEFAULT '{}'
);

INSERT INTO erasure_round DEFAULT VALUES;
