-- Marks on single serialized items: recalled, stolen, returned.

-- The marks of a batch as redirectors hold them, in pages by the last character of the item's id. A row stays when its last mark
-- is removed: a version is never reused.
CREATE TABLE serialized_mark_pages (
    -- Of its document: marks:batch_…/K.
    id       text COLLATE "C" PRIMARY KEY,
    batch_id text NOT NULL REFERENCES serialized_batches (id),
    -- Grows by one with every change published to redirectors.
    version  bigint NOT NULL DEFAULT 1
);

CREATE INDEX serialized_mark_pages_by_batch ON serialized_mark_pages (batch_id);

-- A table of its own, not columns of serialized_items: few items are marked, and an index of the marks is built without
-- reading all items.
CREATE TABLE serialized_marks (
    item_id   text COLLATE "C" PRIMARY KEY,
    page_id   text COLLATE "C" NOT NULL REFERENCES serialized_mark_pages (id),
    batch_id  text NOT NULL,
    -- Of the item in its batch.
    position  integer NOT NULL,
    state     text NOT NULL CHECK (state IN ('recalled', 'stolen', 'returned')),
    note      text,
    -- When it happened, as the owner says.
    marked_at timestamptz NOT NULL
);

CREATE INDEX serialized_marks_by_page ON serialized_marks (page_id);
CREATE INDEX serialized_marks_by_batch ON serialized_marks (batch_id, position);
