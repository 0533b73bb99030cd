-- Every view on the scans exists: the table takes them from now on (0001).
ALTER TABLE scans DROP CONSTRAINT IF EXISTS views_exist;
