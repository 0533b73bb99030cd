-- Replays: events of a range of time that a webhook is sent again, or for the first time. Worked off in slices.

CREATE TABLE webhook_replays (
    id           text PRIMARY KEY,
    -- Order of creation.
    seq          bigint GENERATED ALWAYS AS IDENTITY,
    webhook_id   text NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
    workspace_id text NOT NULL,
    -- Events placed from the first instant to before the second one.
    from_at      timestamptz NOT NULL,
    to_at        timestamptz NOT NULL,
    -- Null: those that the webhook follows.
    types        text[],
    -- Which events: whose delivery has failed, that have none, or all.
    which        text NOT NULL CHECK (which IN ('failed', 'missed', 'all')),
    state        text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'processing', 'completed', 'failed')),
    -- Deliveries are looked at first, then events without one.
    phase        text NOT NULL CHECK (phase IN ('deliveries', 'events')),
    -- The last row of the phase that was looked at.
    cursor_at    timestamptz,
    cursor_id    text,
    sent         bigint NOT NULL DEFAULT 0,
    -- How often a slice has failed since the last one that did not.
    failures     integer NOT NULL DEFAULT 0,
    created_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    updated_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    finished_at  timestamptz,
    CHECK ((finished_at IS NOT NULL) = (state IN ('completed', 'failed')))
);

-- A webhook has one at a time.
CREATE UNIQUE INDEX webhook_replays_unfinished ON webhook_replays (webhook_id) WHERE finished_at IS NULL;
CREATE INDEX webhook_replays_by_workspace ON webhook_replays (workspace_id, seq) WHERE finished_at IS NULL;
CREATE INDEX webhook_replays_finished ON webhook_replays (finished_at);

-- Failed deliveries are few among those that succeeded.
CREATE INDEX webhook_deliveries_failed ON webhook_deliveries (webhook_id, placed_at DESC, id DESC) WHERE status = 'failed';
