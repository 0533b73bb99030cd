-- All views on the scans exist, so the table accepts scans from now on (0001).
ALTER TABLE scans DROP CONSTRAINT IF EXISTS views_exist;
