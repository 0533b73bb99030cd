-- A single submission can be removed: then its seq is missing, and the form has fewer than it has ever stored.
ALTER TABLE form_submission_counts
    DROP CONSTRAINT form_submission_counts_check,
    ADD CONSTRAINT form_submission_counts_check
        CHECK (removed_seq <= purged_seq AND purged_seq <= last_seq AND submissions <= last_seq - purged_seq);

CREATE UNIQUE INDEX form_submissions_id ON form_submissions (form_id, id);
