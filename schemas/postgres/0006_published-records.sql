-- What is published stays in the outbox for a minute: where Redis loses writes that it had acknowledged, as at a failover,
-- they are published again. A row that nobody can publish is set aside, with the reason, so that the others go on.
ALTER TABLE unpublished_codes
    ADD COLUMN state   text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'published', 'set_aside')),
    -- When it is looked at next: to be published, or to be confirmed and removed.
    ADD COLUMN due_at  timestamptz NOT NULL DEFAULT now(),
    ADD COLUMN problem text,
    ADD CONSTRAINT problem_of_what_is_set_aside CHECK ((state = 'set_aside') = (problem IS NOT NULL));

DROP INDEX unpublished_codes_by_age;
CREATE INDEX unpublished_codes_by_due ON unpublished_codes (due_at) WHERE state <> 'set_aside';

-- A restore takes the versions of codes back to what they were, while Redis and redirectors hold later ones. A later
-- timeline makes all versions from then on greater than any before it. One row.
CREATE TABLE record_timeline (
    is_one   boolean PRIMARY KEY DEFAULT true CHECK (is_one),
    timeline integer NOT NULL DEFAULT 0 CHECK (timeline BETWEEN 0 AND 67108863)
);

INSERT INTO record_timeline DEFAULT VALUES;
