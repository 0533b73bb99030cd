-- Workspaces are never deleted, and a code is created by a key of one. The check of each new code locked the row of its workspace:
-- of a workspace's concurrent creates, each made a new list of the others (multixact). It was a sixth of what a create costs.
ALTER TABLE codes DROP CONSTRAINT codes_workspace_id_fkey;

-- As before, but for the look.
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
        -- Most changes move no code from one count to another: one look replaces two statements.
        IF NOT EXISTS (
            SELECT FROM old_rows AS o JOIN new_rows AS n ON n.id = o.id
            WHERE (o.workspace_id, o.data_type, o.status, o.archived, o.folder_id, o.tag_ids, o.link_base)
                IS DISTINCT FROM (n.workspace_id, n.data_type, n.status, n.archived, n.folder_id, n.tag_ids, n.link_base)
                OR (o.encryption, o.destination) IS DISTINCT FROM (n.encryption, n.destination)
                AND code_host(o.data_type, o.encryption, o.destination)
                    IS DISTINCT FROM code_host(n.data_type, n.encryption, n.destination)
        ) THEN
            RETURN NULL;
        END IF;
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
