-- What few codes have: a start, ways out before it and after the end, changes of the destination at set times, parameters that are
-- added to it. One column, so that a code without them costs nothing more.
ALTER TABLE codes ADD COLUMN routing jsonb;
