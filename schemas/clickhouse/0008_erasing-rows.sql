-- What an erasure removes from the sums. ClickHouse changes a table part by part, and asks the condition of a change again when it
-- begins again: one that is about the sums themselves would then be about what is half done. So the keys are written here first,
-- and removed by this list. A partition is one attempt, as in erasing_scans (0006).
--
-- A list that is written again has the name of the first time, and is ignored.
CREATE TABLE IF NOT EXISTS erasing_rows
(
    attempt      UUID,
    -- Which list of the attempt.
    list         LowCardinality(String),
    listed_at    DateTime64(3, 'UTC') DEFAULT now64(3),
    -- The columns that are keys of the table that the list is about.
    workspace_id LowCardinality(String),
    code_id      String,
    day          Date,
    dimension    LowCardinality(String),
    quarter      DateTime('UTC'),
    value        String,
    -- Of codes that lose whole days: how many scans these have.
    scans        UInt64
)
ENGINE = MergeTree
PARTITION BY attempt
ORDER BY (list, workspace_id, code_id, day, dimension, quarter)
SETTINGS non_replicated_deduplication_window = 1000;

-- How many scans of codes were erased: a scan cap counts on, also if Redis loses its counter. The counter is then set to the scans
-- of scans_daily and these. A code that is erased itself has no rows here.
--
-- A row is what one attempt has erased. It may be written twice: readers use FINAL.
CREATE TABLE IF NOT EXISTS erased_counts
(
    workspace_id LowCardinality(String),
    code_id      String,
    -- The attempt, and what of it was counted.
    name         String,
    scans        UInt64
)
ENGINE = ReplacingMergeTree
ORDER BY (workspace_id, code_id, name)
SETTINGS index_granularity = 1024;
