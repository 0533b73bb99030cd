-- A file of its own: it holds up changes of aliases, and no readers, while the index is built.

-- The aliases that a search of codes finds.
CREATE INDEX aliases_search ON aliases USING gin (workspace_id, slug gin_trgm_ops) WITH (gin_pending_list_limit = 512)
    WHERE deleted_at IS NULL;
