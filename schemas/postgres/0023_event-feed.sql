-- The feed of events: the rows of webhook_events that a workspace can read in the order in which they were committed. Scans
-- and test deliveries are not in it, nor are rows of before this migration. They have neither column.
ALTER TABLE webhook_events
    -- The database's timeline: after a restore, ids of transactions may begin again.
    ADD COLUMN feed_timeline integer,
    -- The transaction that stored the event. A reader stops before the oldest one that is still open, so that no event is
    -- committed behind its back.
    ADD COLUMN feed_xid      xid8;

CREATE INDEX webhook_events_feed ON webhook_events (workspace_id, feed_timeline, feed_xid, placed_at, id)
    WHERE feed_xid IS NOT NULL;
