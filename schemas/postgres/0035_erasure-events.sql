-- Erasures look at the events once every transaction has ended that may not have seen them: one that stores events of scans reads
-- erasures first, and may be committed later than the last look.
ALTER TABLE erasures
    -- A transaction that began when the erasure was there for all to see; null before its events are looked at.
    ADD COLUMN events_xid xid8;
