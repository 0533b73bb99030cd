-- What the submissions of a form take: all of a workspace's together are bounded.
ALTER TABLE form_submission_counts ADD COLUMN bytes bigint NOT NULL DEFAULT 0 CHECK (bytes >= 0);

UPDATE form_submission_counts AS counts SET bytes = coalesce((
    SELECT sum(value_bytes + octet_length(user_agent) + octet_length(referrer) + 300) FROM form_submissions AS stored
    WHERE stored.form_id = counts.form_id AND stored.seq > counts.purged_seq), 0);

-- Deleted forms have submissions, too.
CREATE INDEX hosted_pages_forms ON hosted_pages (workspace_id) WHERE kind = 'form';

COMMENT ON COLUMN form_submissions.field_values IS
    'By the id of the field. In the order of the form, but for ids that are whole numbers: JavaScript has those first.';
