-- Subscriptions as a payment provider sells them, and what it has told of them.

-- Grows with every event of the subscription, so that consumers tell an older event from a newer one.
ALTER TABLE subscriptions ADD COLUMN version bigint NOT NULL DEFAULT 0;

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
