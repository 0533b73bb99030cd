-- The subscription or workspace of ours that the event names: where there is none of that name, it is nobody else's.
ALTER TABLE billing_events ADD COLUMN named text;
