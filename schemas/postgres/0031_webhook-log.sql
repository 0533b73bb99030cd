-- What the log of webhooks is read by: replays of a webhook, the newest first, and which deliveries are tests.

CREATE INDEX webhook_replays_by_webhook ON webhook_replays (webhook_id, seq DESC);

-- Whether what is sent is an example that the owner has asked for.
ALTER TABLE webhook_queue ADD COLUMN test boolean NOT NULL DEFAULT false;
ALTER TABLE webhook_deliveries ADD COLUMN test boolean NOT NULL DEFAULT false;
