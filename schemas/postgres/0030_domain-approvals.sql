-- Which workspace had a name when the edge was first allowed a certificate for it. It stays when the domain is deleted: what a workspace
-- has used of its share counts on. Null: before shares were counted, or never.
ALTER TABLE domain_names ADD COLUMN approved_for text;

CREATE INDEX domain_names_by_workspace ON domain_names (approved_for, approved_at) WHERE approved_for IS NOT NULL;
