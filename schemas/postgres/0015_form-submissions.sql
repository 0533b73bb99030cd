-- What visitors have sent by forms. They outlive their form, until they are purged.
CREATE TABLE form_submissions (
    form_id      text NOT NULL REFERENCES hosted_pages (id),
    -- Of one form: 1, 2, 3 and so on, without a gap, in the order of created_at.
    seq          bigint NOT NULL,
    id           text NOT NULL,
    -- Of the page that was sent: one page stores one submission.
    nonce        bytea NOT NULL,
    -- By the id of the field, in the order of the form. json, since jsonb would sort the names.
    field_values json NOT NULL,
    -- Lists are read in parts of a bounded size.
    value_bytes  integer NOT NULL GENERATED ALWAYS AS (octet_length(field_values::text)) STORED,
    ip           text NOT NULL,
    user_agent   text NOT NULL,
    -- Where the visitor came from to the form.
    referrer     text NOT NULL,
    created_at   timestamptz NOT NULL,
    PRIMARY KEY (form_id, seq),
    UNIQUE (form_id, nonce)
);

-- How many submissions a form has: a row to lock, so that the count and the order are exact however many are stored at the same time.
CREATE TABLE form_submission_counts (
    form_id     text PRIMARY KEY REFERENCES hosted_pages (id),
    submissions bigint NOT NULL DEFAULT 0 CHECK (submissions >= 0),
    last_seq    bigint NOT NULL DEFAULT 0,
    -- Submissions up to this one are purged: nobody sees them …
    purged_seq  bigint NOT NULL DEFAULT 0,
    -- … and up to this one their rows are gone.
    removed_seq bigint NOT NULL DEFAULT 0,
    CHECK (removed_seq <= purged_seq AND purged_seq <= last_seq AND submissions = last_seq - purged_seq)
);

CREATE INDEX form_submission_counts_unremoved ON form_submission_counts (form_id) WHERE removed_seq < purged_seq;
