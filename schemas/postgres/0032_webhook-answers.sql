-- Whoever registers the URL of somebody else has that server asked: it is asked less where it has never answered 2xx.

-- When the URL first answered 2xx; null where it never has. Of the webhooks that exist it is not known: they count as answered.
ALTER TABLE webhooks ADD COLUMN answered_at timestamptz;
UPDATE webhooks SET answered_at = created_at;

-- Failed attempts of a day (UTC) at URLs that have never answered 2xx. A webhook that is deleted and made anew begins with no others.
CREATE TABLE webhook_unanswered_attempts (
    workspace_id text PRIMARY KEY REFERENCES workspaces (id),
    day          date NOT NULL,
    attempts     integer NOT NULL,
    last_at      timestamptz NOT NULL
);
