-- The history of codes, and the log of who did what.

-- The key that began a job: it acts for that key. Null for jobs that are older than this column, and for the operator's.
ALTER TABLE jobs ADD COLUMN key_id text;

-- Changes of codes, written in the transaction of each change. Version 1 is the creation, and has no row. Rows do not
-- reference their code, since codes are never removed.
CREATE TABLE code_versions (
    code_id      text COLLATE "C" NOT NULL,
    -- The version that the change made.
    version      bigint NOT NULL,
    changed_at   timestamptz NOT NULL,
    actor        text CHECK (actor IN ('key', 'operator')),
    key_id       text,
    -- The parts that changed, by their names in the program, and their values before and after. A logo is its hash.
    parts        text[] NOT NULL,
    before       jsonb NOT NULL,
    after        jsonb NOT NULL,
    -- What became of the password, of which nothing else is stored. Null: it stayed.
    password     text CHECK (password IN ('set', 'changed', 'removed')),
    -- The size of both as JSON.
    bytes        integer NOT NULL,
    PRIMARY KEY (code_id, version)
);

-- Logos that a change replaced, for a revert: the latest of each code.
CREATE TABLE code_version_logos (
    code_id     text COLLATE "C" NOT NULL,
    -- As in the history: sha256: and hexadecimal digits.
    hash        text COLLATE "C" NOT NULL,
    image       text NOT NULL,
    replaced_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (code_id, hash)
);

-- Who did what in a workspace: a row for each request that changed something, written in the transaction of the change.
-- One partition for each month (UTC), dropped as a whole after 400 days.
CREATE TABLE audit_log (
    id           text COLLATE "C" NOT NULL,
    at           timestamptz NOT NULL,
    workspace_id text NOT NULL,
    actor        text NOT NULL CHECK (actor IN ('key', 'operator')),
    key_id       text,
    -- The operationId of the API, or the operator's verb.
    operation    text NOT NULL,
    resource_id  text,
    request_id   text,
    PRIMARY KEY (id, at)
) PARTITION BY RANGE (at);

CREATE INDEX audit_log_by_workspace ON audit_log (workspace_id, at, id);
CREATE INDEX audit_log_by_resource ON audit_log (workspace_id, resource_id, at, id) WHERE resource_id IS NOT NULL;

-- For months without a partition: rows are deleted when they are old.
CREATE TABLE audit_log_default PARTITION OF audit_log DEFAULT;

-- Creates the missing partitions of the months from that of $1 to that of $2. A month with rows in the default partition
-- gets none.
CREATE FUNCTION make_audit_partitions(first_day date, last_day date) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    month date;
    name text;
    occupied boolean;
BEGIN
    -- Processes that start at the same time create them one after the other.
    PERFORM pg_advisory_xact_lock(hashtext('make_audit_partitions'));
    FOR month IN SELECT generate_series(date_trunc('month', first_day::timestamp), last_day::timestamp, interval '1 month')::date LOOP
        name := 'audit_log_' || to_char(month, 'YYYYMM');
        CONTINUE WHEN to_regclass(quote_ident(name)) IS NOT NULL;
        SELECT EXISTS (SELECT FROM audit_log_default
            WHERE at >= (month::text || ' 00:00Z')::timestamptz
              AND at < ((month + interval '1 month')::date::text || ' 00:00Z')::timestamptz) INTO occupied;
        CONTINUE WHEN occupied;
        EXECUTE format('CREATE TABLE %I PARTITION OF audit_log FOR VALUES FROM (%L) TO (%L)',
            name, month::text || ' 00:00Z', (month + interval '1 month')::date::text || ' 00:00Z');
    END LOOP;
END $$;

SELECT make_audit_partitions((now() AT TIME ZONE 'UTC')::date, (now() AT TIME ZONE 'UTC')::date + 62);
