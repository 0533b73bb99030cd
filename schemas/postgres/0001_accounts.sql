-- A subscription pays, its workspaces hold the resources, a key opens one workspace.
CREATE TABLE subscriptions (
    id         text PRIMARY KEY,
    plan       text NOT NULL CHECK (plan IN ('free', 'starter', 'growth', 'business', 'enterprise')),
    created_at timestamptz NOT NULL DEFAULT now(),
    status     text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'past_due', 'cancelled')),
    -- What it may use instead of its plan's amounts: {"dynamicQr": 5000, "apiCalls": null}. Null is unlimited.
    limits     jsonb NOT NULL DEFAULT '{}',
    -- Grows with every event of the subscription: consumers order its events by it.
    version    bigint NOT NULL DEFAULT 0
);

CREATE TABLE workspaces (
    id              text PRIMARY KEY,
    subscription_id text NOT NULL REFERENCES subscriptions (id),
    name            text NOT NULL,
    created_at      timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX workspaces_by_subscription ON workspaces (subscription_id);

-- Only the SHA-256 of a key is stored: keys carry 190 bits of randomness, so a slow hash would add nothing.
CREATE TABLE api_keys (
    id           text PRIMARY KEY,
    workspace_id text NOT NULL REFERENCES workspaces (id),
    prefix       text NOT NULL,
    key_hash     bytea NOT NULL UNIQUE,
    created_at   timestamptz NOT NULL DEFAULT now(),
    revoked_at   timestamptz,
    name         text,
    role         text NOT NULL DEFAULT 'owner' CHECK (role IN ('owner', 'admin', 'member')),
    -- Kept for integrators who send them; every key has the whole of its role.
    scopes       text[] NOT NULL DEFAULT '{}'
);

CREATE INDEX api_keys_by_workspace ON api_keys (workspace_id);

-- Every control plane listens: what it remembers of keys and plans is forgotten as soon as one of them changes, whoever
-- changed it. The bound on what it remembers does the rest while a connection is lost.
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

-- How much of a quota is used up in the period that begins on a day (in UTC; a lifetime begins in 1970).
CREATE TABLE quota_usage (
    subscription_id text NOT NULL REFERENCES subscriptions (id),
    capability      text NOT NULL,
    period_start    date NOT NULL,
    used            bigint NOT NULL,
    PRIMARY KEY (subscription_id, capability, period_start)
);

-- A creation whose work takes long (hashing, sealing, drawing) holds no transaction open during that work. It claims its
-- idempotency key and takes its quota first, works, and then stores the result. Claim and quota are held until an instant: if
-- it passes, the process is taken for dead, another request may have the claim, and the quota is given back.
CREATE TABLE quota_reservations (
    id              uuid PRIMARY KEY,
    subscription_id text NOT NULL REFERENCES subscriptions (id),
    capability      text NOT NULL,
    period_start    date NOT NULL,
    amount          bigint NOT NULL,
    held_until      timestamptz NOT NULL
);

CREATE INDEX quota_reservations_by_end ON quota_reservations (held_until);

-- The last settlement of API calls of each process: one whose answer was lost is sent again, and adds nothing twice.
CREATE TABLE api_call_settlements (
    settler    text PRIMARY KEY,
    number     bigint NOT NULL,
    settled_at timestamptz NOT NULL DEFAULT now()
);

-- Answers to requests with an Idempotency-Key, for as long as they are repeated. Both the key and the request are
-- stored as keyed hashes: a request may hold a password.
CREATE TABLE idempotent_answers (
    workspace_id text NOT NULL REFERENCES workspaces (id),
    key_mac      bytea NOT NULL,
    request_mac  bytea NOT NULL,
    -- Null until the answer is made.
    status       smallint,
    headers      json,
    body         text,
    created_at   timestamptz NOT NULL DEFAULT now(),
    -- The claim of the request that makes the answer: see quota_reservations.
    claim_id     uuid,
    held_until   timestamptz,
    -- A mint is repeated for longer than other requests.
    valid_hours  integer NOT NULL DEFAULT 24,
    PRIMARY KEY (workspace_id, key_mac)
);

CREATE INDEX idempotent_answers_by_age ON idempotent_answers (created_at);

-- The provider's subscriptions, linked to ours or not yet: what is told before the link is known is kept here. Several may be linked
-- to one of ours: an earlier one that has ended, and the one that took its place.
CREATE TABLE billing_subscriptions (
    -- The provider's own.
    id                   text PRIMARY KEY,
    -- A link stays until an operator removes it.
    subscription_id      text REFERENCES subscriptions (id),
    customer             text,
    -- The provider's word for it; null before the first word.
    status               text,
    -- That of its price, or of an earlier one; null where STRIPE_PRICES has had none of them.
    plan                 text CHECK (plan IN ('free', 'starter', 'growth', 'business', 'enterprise')),
    -- Prices, lookup keys and products of its items.
    prices               text[] NOT NULL DEFAULT '{}',
    -- Whether STRIPE_PRICES had none of `prices` when they were told.
    unpriced             boolean NOT NULL DEFAULT false,
    current_period_start timestamptz,
    current_period_end   timestamptz,
    cancel_at_period_end boolean NOT NULL DEFAULT false,
    -- When that was so, by the provider's clock, in whole seconds: what is older changes nothing.
    told_at              timestamptz,
    updated_at           timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE INDEX billing_subscriptions_by_subscription ON billing_subscriptions (subscription_id);
CREATE INDEX billing_subscriptions_by_customer ON billing_subscriptions (customer);
CREATE INDEX billing_subscriptions_unpriced ON billing_subscriptions (id) WHERE unpriced;

-- Events that were taken, for 90 days: a provider sends each at least once. Of their content only what is used is kept.
CREATE TABLE billing_events (
    -- The provider's own.
    id                    text PRIMARY KEY,
    type                  text NOT NULL,
    -- What has happened, where several events tell of it, such as 'renewed in_1': the first that comes counts.
    effect                text UNIQUE,
    provider_subscription text,
    customer              text,
    -- 'waiting': it names nothing of ours yet. 'unreadable': it does not have what its type has.
    outcome               text NOT NULL DEFAULT 'waiting'
        CHECK (outcome IN ('applied', 'noted', 'stale', 'waiting', 'unreadable')),
    -- For the operator, where it is waiting or unreadable.
    problem               text,
    -- A payment, a refund or a purchase, as it is applied when its link comes.
    moment                jsonb,
    -- The subscription or workspace of ours that the event names: if we have none of that name, the event applies to no other.
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
    -- When the whole payment was refunded: the items are taken from the quota again.
    returned_at     timestamptz
);
