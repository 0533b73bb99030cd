-- Every view on the scans exists: from here on the table takes them (0001).
ALTER TABLE scans DROP CONSTRAINT IF EXISTS views_exist;
