-- What redirectors report of the scans of serialized items.

-- An item is claimed by what any of its scans tells. The scan that claimed it is counted from then on, and reports itself once.
ALTER TABLE serialized_items ADD COLUMN claim_reported boolean NOT NULL DEFAULT false;

-- Lines of segments that could not be counted. Those beyond the first hundred of a segment are in the log and the metrics alone.
CREATE TABLE serialized_rejected_lines (
    segment     text NOT NULL,
    -- From 1 on.
    line        integer NOT NULL,
    problem     text NOT NULL,
    content     text NOT NULL,
    rejected_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (segment, line)
);

CREATE INDEX serialized_rejected_lines_by_time ON serialized_rejected_lines (rejected_at);
