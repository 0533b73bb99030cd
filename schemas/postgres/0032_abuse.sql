-- Abuse and link rot: what destinations are screened against, reports, suspensions, and the health of destinations.

-- The operator's lists of blocked destinations.
CREATE TABLE blocked_destinations (
    -- A host, a host with a path, or # and the first eight hexadecimal digits of a SHA-256.
    lookup   text COLLATE "C" NOT NULL,
    -- Of a hash, the digits that follow; else empty.
    rest     text COLLATE "C" NOT NULL,
    list     text COLLATE "C" NOT NULL,
    reason   text,
    added_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (lookup, rest, list)
);

-- Of each list by its entries, for reading and replacing it.
CREATE INDEX blocked_destinations_by_list ON blocked_destinations (list, lookup, rest);
-- The longest: what is longer is not looked up.
CREATE INDEX blocked_destinations_by_length ON blocked_destinations (length(lookup));

-- The nightly screening: one row.
CREATE TABLE screening_progress (
    one            boolean PRIMARY KEY DEFAULT true CHECK (one),
    -- The night of the last round, by its date in UTC.
    night          date NOT NULL DEFAULT '-infinity',
    -- Up to which code the lists have been looked up, and up to which one the web-risk service has answered. Null: all codes.
    lists_after    bigint,
    web_risk_after bigint,
    held_until     timestamptz NOT NULL DEFAULT '-infinity',
    -- The run that screens now. A round that begins meanwhile ends it.
    held_by        uuid
);
INSERT INTO screening_progress DEFAULT VALUES;

-- What visitors reported and what the nightly screening found, for the operator to decide.
CREATE TABLE abuse_reports (
    id           text COLLATE "C" PRIMARY KEY,
    seq          bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    code_id      text COLLATE "C" NOT NULL,
    workspace_id text NOT NULL,
    source       text NOT NULL CHECK (source IN ('visitor', 'screening')),
    reason       text NOT NULL,
    details      text,
    contact      text,
    created_at   timestamptz NOT NULL DEFAULT now(),
    decision     text CHECK (decision IN ('suspended', 'dismissed')),
    decided_at   timestamptz
);
CREATE INDEX abuse_reports_open ON abuse_reports (seq) WHERE decided_at IS NULL;
CREATE INDEX abuse_reports_open_by_code ON abuse_reports (code_id) WHERE decided_at IS NULL;
CREATE INDEX abuse_reports_decided ON abuse_reports (decided_at) WHERE decided_at IS NOT NULL;
-- A finding is reported once, unless its code was suspended and is so no more.
CREATE UNIQUE INDEX abuse_reports_findings ON abuse_reports (code_id, md5(details)) WHERE source = 'screening';

-- A code that an operator has suspended: it leads nowhere until the suspension is lifted.
ALTER TABLE codes ADD COLUMN suspended_at timestamptz, ADD COLUMN suspension_reason text;

-- Whether the destination of the code is checked daily.
ALTER TABLE codes ADD COLUMN health_check boolean NOT NULL DEFAULT false;

-- The health of destinations that are checked.
CREATE TABLE destination_health (
    code_id      text COLLATE "C" PRIMARY KEY,
    workspace_id text NOT NULL,
    -- The destination that was checked last; null before the first check.
    url          text,
    status       text CHECK (status IN ('ok', 'broken', 'unreachable')),
    http_status  integer,
    checked_at   timestamptz,
    since        timestamptz,
    -- Failures in a row, the last one included.
    failures     integer NOT NULL DEFAULT 0,
    -- Whether its owner has been notified that it is broken.
    reported     boolean NOT NULL DEFAULT false,
    due_at       timestamptz NOT NULL
);
-- Workspaces take turns.
CREATE INDEX destination_health_due ON destination_health (workspace_id, due_at);
CREATE INDEX destination_health_by_status ON destination_health (workspace_id, status, code_id);

-- A code that asks for checks gets the first one within ten minutes. The row goes with the first check after it asks no more.
CREATE FUNCTION begin_health_checks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO destination_health (code_id, workspace_id, due_at)
    VALUES (NEW.id, NEW.workspace_id, now() + random() * interval '10 minutes')
    ON CONFLICT (code_id) DO NOTHING;
    RETURN NULL;
END $$;
CREATE TRIGGER codes_inserted_with_health_check AFTER INSERT ON codes
    FOR EACH ROW WHEN (NEW.health_check) EXECUTE FUNCTION begin_health_checks();
CREATE TRIGGER codes_updated_with_health_check AFTER UPDATE OF health_check ON codes
    FOR EACH ROW WHEN (NEW.health_check AND NOT OLD.health_check) EXECUTE FUNCTION begin_health_checks();

-- Only one process checks at a time: no host gets two requests at once.
CREATE TABLE health_check_turn (
    one        boolean PRIMARY KEY DEFAULT true CHECK (one),
    held_until timestamptz NOT NULL DEFAULT '-infinity'
);
INSERT INTO health_check_turn DEFAULT VALUES;
