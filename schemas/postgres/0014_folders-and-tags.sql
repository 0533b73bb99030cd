-- Folders, tags and the archive of codes. Redirectors know none of them.

-- A folder that is deleted is gone at once. A task then takes it off its codes, in slices, and removes the row.
CREATE TABLE folders (
    id           text PRIMARY KEY,
    workspace_id text NOT NULL REFERENCES workspaces (id),
    name         text NOT NULL,
    created_at   timestamptz NOT NULL DEFAULT now(),
    updated_at   timestamptz NOT NULL DEFAULT now(),
    deleted_at   timestamptz
);

CREATE INDEX folders_by_workspace ON folders (workspace_id) WHERE deleted_at IS NULL;
CREATE INDEX folders_deleted ON folders (deleted_at) WHERE deleted_at IS NOT NULL;

-- How many folders a workspace has: a row to lock, so that the limit holds however many are created concurrently.
CREATE TABLE folder_counts (
    workspace_id text PRIMARY KEY REFERENCES workspaces (id),
    folders      integer NOT NULL CHECK (folders >= 0)
);

-- Codes hold the ids of tags: a tag is renamed, merged or deleted by a change of its own row, however many codes have it.
CREATE TABLE tags (
    id           integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    workspace_id text NOT NULL REFERENCES workspaces (id),
    -- As its owner first wrote it.
    name         text NOT NULL,
    -- The name in lower case.
    key          text COLLATE "C" NOT NULL,
    -- Since then it is deleted, or merged into another one, which itself is neither. A task then takes it off its codes
    -- and removes the row.
    gone_at      timestamptz,
    merged_into  integer REFERENCES tags (id),
    created_at   timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT merged_is_gone CHECK (merged_into IS NULL OR gone_at IS NOT NULL)
);

CREATE UNIQUE INDEX tags_by_key ON tags (workspace_id, key) WHERE gone_at IS NULL;
CREATE INDEX tags_gone ON tags (gone_at) WHERE gone_at IS NOT NULL;
CREATE INDEX tags_merged ON tags (merged_into) WHERE merged_into IS NOT NULL;

ALTER TABLE codes
    -- In ascending order.
    ADD COLUMN tag_ids   integer[] NOT NULL DEFAULT '{}',
    ADD COLUMN folder_id text,
    ADD COLUMN archived  boolean NOT NULL DEFAULT false;

-- The host that a code leads to, in lower case; null without one, and for an encrypted code. Its text is cut where the host
-- ends, which takes a fifth of the time of a regular expression: lists look at thousands of codes.
CREATE FUNCTION code_host(data_type text, encryption text, destination text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN encryption IS NULL AND data_type IN ('url', 'gs1') THEN
        nullif(left(lower(CASE WHEN split_part(destination, '/', 3) LIKE '%[%' THEN
            substring(split_part(destination, '/', 3) FROM '\[[^\]]*\]')
        ELSE
            split_part(split_part(split_part(split_part(split_part(destination, '/', 3), '?', 1), '#', 1), '@', -1), ':', 1)
        END), 253), '')
    END
$$;

ALTER TABLE code_counts ADD COLUMN archived boolean NOT NULL DEFAULT false;
ALTER TABLE code_counts DROP CONSTRAINT code_counts_pkey;
ALTER TABLE code_counts ADD PRIMARY KEY (workspace_id, data_type, status, archived, slot);

-- How many codes a workspace has by folder, tag, domain and host, in slots as in code_counts. Codes without one have no row.
CREATE TABLE code_facets (
    workspace_id text NOT NULL,
    facet        text NOT NULL CHECK (facet IN ('folder', 'tag', 'domain', 'destinationHost')),
    -- The id of the folder or the tag, the link base, or the host.
    value        text COLLATE "C" NOT NULL,
    archived     boolean NOT NULL,
    slot         smallint NOT NULL,
    codes        bigint NOT NULL,
    PRIMARY KEY (workspace_id, facet, value, archived, slot)
);

CREATE FUNCTION facets_of(folder_id text, tag_ids integer[], link_base text, host text)
RETURNS TABLE (facet text, value text) LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT 'folder', folder_id WHERE folder_id IS NOT NULL
    UNION ALL SELECT 'tag', tag::text FROM unnest(tag_ids) AS tag
    UNION ALL SELECT 'domain', link_base WHERE link_base IS NOT NULL
    UNION ALL SELECT 'destinationHost', host WHERE host IS NOT NULL
$$;

INSERT INTO code_facets (workspace_id, facet, value, archived, slot, codes)
SELECT workspace_id, facet, value, archived, 0, count(*)
FROM codes, facets_of(folder_id, tag_ids, link_base, code_host(data_type, encryption, destination))
GROUP BY 1, 2, 3, 4;

CREATE OR REPLACE FUNCTION count_codes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO code_counts AS c (workspace_id, data_type, status, archived, slot, codes)
        SELECT workspace_id, data_type, status, archived, pg_backend_pid() % 16, count(*)
        FROM new_rows GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
        ON CONFLICT (workspace_id, data_type, status, archived, slot) DO UPDATE SET codes = c.codes + excluded.codes;
        INSERT INTO code_facets AS c (workspace_id, facet, value, archived, slot, codes)
        SELECT workspace_id, facet, value, archived, pg_backend_pid() % 16, count(*)
        FROM new_rows, facets_of(folder_id, tag_ids, link_base, code_host(data_type, encryption, destination))
        GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
        ON CONFLICT (workspace_id, facet, value, archived, slot) DO UPDATE SET codes = c.codes + excluded.codes;
    ELSE
        INSERT INTO code_counts AS c (workspace_id, data_type, status, archived, slot, codes)
        SELECT workspace_id, data_type, status, archived, pg_backend_pid() % 16, sum(delta)
        FROM (
            SELECT workspace_id, data_type, status, archived, 1 AS delta FROM new_rows
            UNION ALL
            SELECT workspace_id, data_type, status, archived, -1 FROM old_rows
        ) AS changes
        GROUP BY 1, 2, 3, 4 HAVING sum(delta) <> 0 ORDER BY 1, 2, 3, 4
        ON CONFLICT (workspace_id, data_type, status, archived, slot) DO UPDATE SET codes = c.codes + excluded.codes;
        INSERT INTO code_facets AS c (workspace_id, facet, value, archived, slot, codes)
        SELECT workspace_id, facet, value, archived, pg_backend_pid() % 16, sum(delta)
        FROM (
            SELECT workspace_id, archived, folder_id, tag_ids, link_base,
                code_host(data_type, encryption, destination) AS host, 1 AS delta FROM new_rows
            UNION ALL
            SELECT workspace_id, archived, folder_id, tag_ids, link_base,
                code_host(data_type, encryption, destination), -1 FROM old_rows
        ) AS changes, facets_of(folder_id, tag_ids, link_base, host)
        GROUP BY 1, 2, 3, 4 HAVING sum(delta) <> 0 ORDER BY 1, 2, 3, 4
        ON CONFLICT (workspace_id, facet, value, archived, slot) DO UPDATE SET codes = c.codes + excluded.codes;
    END IF;
    RETURN NULL;
END $$;
