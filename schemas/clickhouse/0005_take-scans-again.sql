-- The tables of 0004 are filled, so the table takes scans again (0003).
ALTER TABLE scans DROP CONSTRAINT IF EXISTS views_exist;
