-- A subscription pays, its workspaces hold the resources, a key opens one workspace.
CREATE TABLE subscriptions (
    id         text PRIMARY KEY,
    plan       text NOT NULL CHECK (plan IN ('free', 'starter', 'growth', 'business', 'enterprise')),
    created_at timestamptz NOT NULL DEFAULT now(),
    status     text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'past_due', 'cancelled')),
    -- Overrides its plan's amounts: {"dynamicQr": 5000, "apiCalls": null}. Null is unlimited.
    limits     jsonb NOT NULL DEFAULT '{}',
    -- Grows with every event of the subscription; consumers order its events by it.
    version    bigint NOT NULL DEFAULT 0
);

CREATE TABLE workspaces (
    id              text PRIMARY KEY,
    subscription_id text NOT NULL REFERENCES subscriptions (id),
    name            text NOT NULL,
    created_at      timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX workspaces_by_subscription ON workspaces (subscription_id);

-- Only the SHA-256 of a key is stored: keys carry 187 bits of randomness, so a slow hash would add nothing.
CREATE TABLE api_keys (
    id           text PRIMARY KEY,
    workspace_id text NOT NULL REFERENCES workspaces (id),
    prefix       text NOT NULL,
    key_hash     bytea NOT NULL UNIQUE,
    created_at   timestamptz NOT NULL DEFAULT now(),
    revoked_at   timestamptz,
    name         text,
    role         text NOT NULL DEFAULT 'owner' CHECK (role IN ('owner', 'admin', 'member')),
    -- Kept for integrators who send them; every key has all rights of its role.
    scopes       text[] NOT NULL DEFAULT '{}'
);

CREATE INDEX api_keys_by_workspace ON api_keys (workspace_id);

-- Every control plane listens and evicts its cached keys and plans when one of them changes, by any process. While
-- a connection is lost, the cache's time limit does the rest.
CREATE FUNCTION announce_tenancy_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NOTIFY waymark_tenancy;
    RETURN NULL;
END $$;

CREATE TRIGGER api_keys_announced AFTER UPDATE OR DELETE ON api_keys
    FOR EACH STATEMENT EXECUTE FUNCTION announce_tenancy_change();
CREATE TRIGGER subscriptions_announced AFTER UPDATE OR DELETE ON subscriptions
    FOR EACH STATEMENT EXECUTE FUNCTION announce_tenancy_change();
CREATE TRIGGER workspaces_announced AFTER UPDATE OR DELETE ON workspaces
    FOR EACH STATEMENT EXECUTE FUNCTION announce_tenancy_change();

-- How much of a quota is used up in the period starting on a day (in UTC; a lifetime starts in 1970).
CREATE TABLE quota_usage (
    subscription_id text NOT NULL REFERENCES subscriptions (id),
    capability      text NOT NULL,
    period_start    date NOT NULL,
    used            bigint NOT NULL,
    PRIMARY KEY (subscription_id, capability, period_start)
);

-- A slow creation (hashing, sealing, drawing) holds no transaction open during its work. It claims its idempotency key
-- and takes its quota first, works, and then stores the result. Claim and quota are held until a deadline: once it
-- passes, the process is presumed dead, another request may take the claim, and the quota is given back.
CREATE TABLE quota_reservations (
    id              uuid PRIMARY KEY,
    subscription_id text NOT NULL REFERENCES subscriptions (id),
    capability      text NOT NULL,
    period_start    date NOT NULL,
    amount          bigint NOT NULL,
    held_until      timestamptz NOT NULL
);

CREATE INDEX quota_reservations_by_end ON quota_reservations (held_until);

-- The last settlement of API calls of each process: a settlement sent again because its answer was lost adds nothing
-- twice.
CREATE TABLE api_call_settlements (
    settler    text PRIMARY KEY,
    number     bigint NOT NULL,
    settled_at timestamptz NOT NULL DEFAULT now()
);

-- Answers to requests with an Idempotency-Key, kept as long as they can be replayed. Both the key and the request are
-- stored as keyed hashes: a request may hold a password.
CREATE TABLE idempotent_answers (
    workspace_id text NOT NULL REFERENCES workspaces (id),
    key_mac      bytea NOT NULL,
    request_mac  bytea NOT NULL,
    -- Null until there is an answer.
    status       smallint,
    headers      json,
    body         text,
    created_at   timestamptz NOT NULL DEFAULT now(),
    -- The claim of the request that produces the answer: see quota_reservations.
    claim_id     uuid,
    held_until   timestamptz,
    -- A mint can be replayed for longer than other requests.
    valid_hours  integer NOT NULL DEFAULT 24,
    PRIMARY KEY (workspace_id, key_mac)
);

CREATE INDEX idempotent_answers_by_age ON idempotent_answers (created_at);

-- The provider's subscriptions, linked to ours or not yet: news that arrives before the link is kept here. Several may
-- be linked to one of ours: an earlier one that has ended, and its replacement.
CREATE TABLE billing_subscriptions (
    -- The provider's id.
    id                   text PRIMARY KEY,
    -- A link stays until an operator removes it.
    subscription_id      text REFERENCES subscriptions (id),
    customer             text,
    -- The provider's status; null before the first news.
    status               text,
    -- The plan of its current price, or of an earlier one; null if STRIPE_PRICES has had none of them.
    plan                 text CHECK (plan IN ('free', 'starter', 'growth', 'business', 'enterprise')),
    -- Prices, lookup keys and products of its items.
    prices               text[] NOT NULL DEFAULT '{}',
    -- Whether STRIPE_PRICES had none of `prices` when they were received.
    unpriced             boolean NOT NULL DEFAULT false,
    current_period_start timestamptz,
    current_period_end   timestamptz,
    cancel_at_period_end boolean NOT NULL DEFAULT false,
    -- The time of this state by the provider's clock, in whole seconds: older news is ignored.
    reported_at              timestamptz,
    updated_at           timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE INDEX billing_subscriptions_by_subscription ON billing_subscriptions (subscription_id);
CREATE INDEX billing_subscriptions_by_customer ON billing_subscriptions (customer);
CREATE INDEX billing_subscriptions_unpriced ON billing_subscriptions (id) WHERE unpriced;

-- Received events, kept for 90 days: a provider sends each at least once. Only the parts in use are kept.
CREATE TABLE billing_events (
    -- The provider's id.
    id                    text PRIMARY KEY,
    type                  text NOT NULL,
    -- What happened, if several events report it, such as 'renewed in_1': the first to arrive counts.
    effect                text UNIQUE,
    provider_subscription text,
    customer              text,
    -- 'waiting': it refers to nothing of ours yet. 'unreadable': it lacks fields of its type.
    outcome               text NOT NULL DEFAULT 'waiting'
        CHECK (outcome IN ('applied', 'noted', 'stale', 'waiting', 'unreadable')),
    -- For the operator, if it is waiting or unreadable.
    problem               text,
    -- A payment, a refund or a purchase, applied once its link arrives.
    moment                jsonb,
    -- Our subscription or workspace that the event names; if it does not exist, the event applies to no other.
    named                 text,
    -- By the provider's clock.
    happened_at           timestamptz NOT NULL,
    received_at           timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE INDEX billing_events_unfinished ON billing_events (happened_at) WHERE outcome IN ('waiting', 'unreadable');
CREATE INDEX billing_events_of_subscription ON billing_events (provider_subscription) WHERE outcome = 'waiting';
CREATE INDEX billing_events_of_customer ON billing_events (customer) WHERE outcome = 'waiting' AND provider_subscription IS NULL;
CREATE INDEX billing_events_of_payment ON billing_events ((moment ->> 'payment')) WHERE moment IS NOT NULL;
CREATE INDEX billing_events_by_age ON billing_events (received_at);

-- Blocks of serialized items that were bought, once for each payment.
CREATE TABLE billing_blocks (
    -- The provider's id of the payment.
    id              text PRIMARY KEY,
    subscription_id text NOT NULL REFERENCES subscriptions (id),
    items           integer NOT NULL CHECK (items > 0),
    granted_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- When the whole payment was refunded: the items are deducted from the quota again.
    returned_at     timestamptz
);
