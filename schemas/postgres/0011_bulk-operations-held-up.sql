-- Since when nothing of an operation could be done, as something is away or no turn came. Null where something was done, and
-- while it waits behind others.
ALTER TABLE bulk_operations ADD COLUMN held_up_since timestamptz;
