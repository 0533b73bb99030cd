-- Webhooks, their events, and each delivery with its attempts.

CREATE TABLE webhooks (
    id                         text PRIMARY KEY,
    -- Order of creation.
    seq                        bigint GENERATED ALWAYS AS IDENTITY,
    workspace_id               text NOT NULL REFERENCES workspaces (id),
    url                        text NOT NULL,
    description                text,
    -- Types of events.
    events                     text[] NOT NULL,
    -- Sealed with a key derived from SECRET_KEY; both sign until the previous one expires.
    secret                     bytea NOT NULL,
    previous_secret            bytea,
    previous_secret_expires_at timestamptz,
    -- Only for scan.created: {"maxEvents", "maxSeconds"}.
    batch                      jsonb,
    status                     text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'paused')),
    paused_reason              text CHECK (paused_reason IN ('owner', 'failing')),
    paused_at                  timestamptz,
    -- Of the first failure since the last success, and roughly of the last failure: within an hour.
    failing_since              timestamptz,
    last_failed_at             timestamptz,
    -- Since when events wait for a replay, because too many deliveries are waiting.
    overflowing_since          timestamptz,
    created_at                 timestamptz NOT NULL DEFAULT clock_timestamp(),
    updated_at                 timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- When its URL first answered 2xx; null if it never has. Such a server gets fewer requests: anyone can register
    -- someone else's URL.
    answered_at                timestamptz,
    CHECK ((status = 'paused') = (paused_reason IS NOT NULL AND paused_at IS NOT NULL)),
    CHECK ((previous_secret IS NULL) = (previous_secret_expires_at IS NULL))
);

CREATE INDEX webhooks_by_workspace ON webhooks (workspace_id, seq DESC);

-- Events that a webhook wanted when they happened, kept for 30 days: one partition per day (UTC), dropped as a whole.
-- placed_at is when the event happened, as far as that is plausible: see features/webhooks. It is a function of the
-- event, so that an event reported again is recognised by its key.
CREATE TABLE webhook_events (
    id           text NOT NULL,
    placed_at    timestamptz NOT NULL,
    workspace_id text NOT NULL,
    type         text NOT NULL,
    -- The time in the envelope, to the millisecond.
    occurred_at  timestamptz NOT NULL,
    -- As sent: every attempt has the same bytes.
    data         json NOT NULL,
    -- The webhook of a test delivery: it is sent to no other, even in a replay.
    only_for     text,
    PRIMARY KEY (id, placed_at)
) PARTITION BY RANGE (placed_at);

CREATE INDEX webhook_events_by_workspace ON webhook_events (workspace_id, placed_at, id);

-- For days without a partition: rows are deleted when they are old.
CREATE TABLE webhook_events_default PARTITION OF webhook_events DEFAULT;

-- Unfinished deliveries: small, however long the log is. A delivery is either here or in webhook_deliveries. Rows do
-- not reference their webhook: the lock of a foreign key would make every creation in a workspace write to the
-- webhook's row, and deleting a webhook would undo a concurrent change. A job removes rows without a webhook.
CREATE TABLE webhook_queue (
    -- The header webhook-id.
    id          text PRIMARY KEY,
    webhook_id  text NOT NULL,
    -- Of the event; for a batch, the id of its own envelope.
    event_id    text NOT NULL,
    -- When the event happened; for a batch, its first event.
    placed_at   timestamptz NOT NULL,
    type        text NOT NULL,
    -- The events of a batch, [{"id", "placedAt"}] with the time in ISO 8601; null for a single event.
    batch       json,
    -- When the next attempt is due. While a process holds it, the end of the lease: any process may then take it.
    due_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- Of the process that holds it; a process with another lease has lost it. Null if unclaimed.
    lease       uuid,
    -- The attempts of this round: retries follow SPEC's delays. A resend starts another round.
    round_attempts smallint NOT NULL DEFAULT 0,
    -- The latest 30 attempts: [{"at", "status", "durationMs", "error", "response"}], the oldest first.
    attempts    jsonb NOT NULL DEFAULT '[]',
    created_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- An example requested by the owner.
    test        boolean NOT NULL DEFAULT false
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

CREATE INDEX webhook_queue_due ON webhook_queue (webhook_id, due_at);
CREATE INDEX webhook_queue_by_webhook ON webhook_queue (webhook_id, placed_at DESC, id DESC);
CREATE INDEX webhook_queue_leased ON webhook_queue (due_at) WHERE lease IS NOT NULL;

-- Finished deliveries, kept for 30 days.
CREATE TABLE webhook_deliveries (
    id          text NOT NULL,
    placed_at   timestamptz NOT NULL,
    webhook_id  text NOT NULL,
    event_id    text NOT NULL,
    type        text NOT NULL,
    batch       json,
    status      text NOT NULL CHECK (status IN ('succeeded', 'failed')),
    attempts    jsonb NOT NULL,
    created_at  timestamptz NOT NULL,
    finished_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    test        boolean NOT NULL DEFAULT false,
    PRIMARY KEY (id, placed_at)
) PARTITION BY RANGE (placed_at);

CREATE INDEX webhook_deliveries_by_webhook ON webhook_deliveries (webhook_id, placed_at DESC, id DESC);
-- Failed deliveries are few among the successful ones.
CREATE INDEX webhook_deliveries_failed ON webhook_deliveries (webhook_id, placed_at DESC, id DESC) WHERE status = 'failed';
CREATE TABLE webhook_deliveries_default PARTITION OF webhook_deliveries DEFAULT;

-- Creates the missing partitions of both tables for each day from $1 to $2. A day with rows in the default partition
-- gets none.
CREATE FUNCTION make_webhook_partitions(first_day date, last_day date) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    day date;
    parent text;
    occupied boolean;
BEGIN
    -- Processes that start at the same time create them one after the other.
    PERFORM pg_advisory_xact_lock(hashtext('make_webhook_partitions'));
    FOR day IN SELECT generate_series(first_day, last_day, interval '1 day')::date LOOP
        FOREACH parent IN ARRAY ARRAY['webhook_events', 'webhook_deliveries'] LOOP
            CONTINUE WHEN to_regclass(format('%I', parent || '_' || to_char(day, 'YYYYMMDD'))) IS NOT NULL;
            EXECUTE format('SELECT EXISTS (SELECT FROM %I WHERE placed_at >= %L AND placed_at < %L)',
                parent || '_default', day::text || ' 00:00Z', (day + 1)::text || ' 00:00Z') INTO occupied;
            CONTINUE WHEN occupied;
            EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)',
                parent || '_' || to_char(day, 'YYYYMMDD'), parent, day::text || ' 00:00Z', (day + 1)::text || ' 00:00Z');
        END LOOP;
    END LOOP;
END $$;

SELECT make_webhook_partitions((now() AT TIME ZONE 'UTC')::date - 1, (now() AT TIME ZONE 'UTC')::date + 7);

-- Failed attempts in a day (UTC) at URLs that have never answered 2xx. A webhook that is deleted and created again
-- starts with the same count.
CREATE TABLE webhook_unanswered_attempts (
    workspace_id text PRIMARY KEY REFERENCES workspaces (id),
    day          date NOT NULL,
    attempts     integer NOT NULL,
    last_at      timestamptz NOT NULL
);

-- Replays: events of a period that are sent to a webhook again, or for the first time. Processed in slices.

CREATE TABLE webhook_replays (
    id           text PRIMARY KEY REFERENCES jobs (id) ON DELETE CASCADE,
    webhook_id   text NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
    -- Events placed from the first time (inclusive) to the second (exclusive).
    from_at      timestamptz NOT NULL,
    to_at        timestamptz NOT NULL,
    -- Null: the types the webhook follows.
    types        text[],
    -- Which events: with a failed delivery, without a delivery, or all.
    which        text NOT NULL CHECK (which IN ('failed', 'missed', 'all')),
    -- Deliveries are checked first, then events without one.
    phase        text NOT NULL CHECK (phase IN ('deliveries', 'events')),
    -- The last row checked in this phase.
    cursor_at    timestamptz,
    cursor_id    text
);

CREATE INDEX webhook_replays_by_webhook ON webhook_replays (webhook_id);

-- Segments of scans already received: a segment sent again because the answer was lost adds nothing.
CREATE TABLE webhook_scan_segments (
    name     text PRIMARY KEY,
    taken_at timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX webhook_scan_segments_by_time ON webhook_scan_segments (taken_at);

-- Lines of such segments that could not be counted, like serialized_rejected_lines.
CREATE TABLE webhook_rejected_scans (
    segment     text NOT NULL,
    -- Starts at 1.
    line        integer NOT NULL,
    problem     text NOT NULL,
    content     text NOT NULL,
    rejected_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (segment, line)
);

CREATE INDEX webhook_rejected_scans_by_time ON webhook_rejected_scans (rejected_at);

-- Scans waiting for their batch, for each webhook that takes scans in batches. A row is removed when its batch is
-- queued. Rows do not reference their webhook, like the rows of webhook_queue.
CREATE TABLE webhook_collected_scans (
    webhook_id   text COLLATE "C" NOT NULL,
    seq          bigint GENERATED ALWAYS AS IDENTITY,
    event_id     text NOT NULL,
    placed_at    timestamptz NOT NULL,
    -- Its approximate size in a batch's body.
    bytes        integer NOT NULL,
    collected_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (webhook_id, seq)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
