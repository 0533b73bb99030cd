-- A file of its own: it holds up changes of codes, and no readers, while the indexes are built.

-- The codes of a domain, for analytics.
CREATE INDEX codes_by_link_base ON codes (workspace_id, link_base);

CREATE INDEX codes_unrecorded_caps ON codes (id) WHERE analytics = 'none' AND max_scans IS NOT NULL;
