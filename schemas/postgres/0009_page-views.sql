-- Segments of views of hosted pages already received: a segment sent again because the answer was lost adds nothing.
CREATE TABLE hosted_view_segments (
    name     text PRIMARY KEY,
    taken_at timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX hosted_view_segments_by_time ON hosted_view_segments (taken_at);

-- Lines of such segments that could not be counted, like serialized_rejected_lines.
CREATE TABLE hosted_rejected_views (
    segment     text NOT NULL,
    -- Starts at 1.
    line        integer NOT NULL,
    problem     text NOT NULL,
    content     text NOT NULL,
    rejected_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (segment, line)
);

CREATE INDEX hosted_rejected_views_by_time ON hosted_rejected_views (rejected_at);
