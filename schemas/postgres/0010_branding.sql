-- What pages show of the owner of a code: of a workspace, or of one of its domains. `fields` and `branding` hold
-- everything set, as it is published: see `brand` in documents.ts.
CREATE TABLE branding (
    workspace_id text PRIMARY KEY REFERENCES workspaces (id),
    -- Of the document: grows by one with every change. A workspace without a row has the first.
    version      bigint NOT NULL,
    fields       jsonb NOT NULL,
    updated_at   timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- No released version reads the former column.
ALTER TABLE domains RENAME COLUMN not_found TO branding;

UPDATE domains SET branding = nullif(jsonb_strip_nulls(jsonb_build_object(
    'accent', branding #> '{theme,accent}',
    'background', branding #> '{theme,background}',
    'url', branding -> 'homeUrl',
    'texts', CASE WHEN branding ?| ARRAY['headline', 'body'] THEN jsonb_build_object(
        'unknown', jsonb_build_object('title', branding -> 'headline', 'text', branding -> 'body')) END
)), '{}') WHERE branding IS NOT NULL;

-- Redirectors hold these domains without their branding.
WITH changed AS (
    UPDATE domain_names n SET version = n.version + 1
    FROM (SELECT DISTINCT domain FROM domains WHERE branding IS NOT NULL AND status <> 'pending') AS d
    WHERE n.domain = d.domain RETURNING n.domain, n.version
)
INSERT INTO unpublished (kind, id, version) SELECT 'domain', 'domain:' || domain, version FROM changed
ON CONFLICT (kind, id) DO UPDATE SET version = excluded.version, changed_at = now(), due_at = now(),
    state = 'waiting', problem = NULL;
