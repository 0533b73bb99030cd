-- A creation whose work takes long (hashing, sealing, drawing) holds no transaction open meanwhile. It claims its key and takes
-- its quota first, then works, and then stores what it has made. In between, the claim and the quota are held until an instant:
-- past it the process is taken for dead, the claim is anyone's, and the quota is given back.
ALTER TABLE idempotent_answers
    ADD COLUMN claim_id   uuid,
    ADD COLUMN held_until timestamptz;

CREATE TABLE quota_reservations (
    id              uuid PRIMARY KEY,
    subscription_id text NOT NULL REFERENCES subscriptions (id),
    capability      text NOT NULL,
    period_start    date NOT NULL,
    amount          bigint NOT NULL,
    held_until      timestamptz NOT NULL
);

CREATE INDEX quota_reservations_by_end ON quota_reservations (held_until);
