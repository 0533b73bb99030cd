-- A view sees only rows inserted after it was created. So that no scan is missing in the new tables, or in them twice, the
-- table takes none until 0005 has filled them and lifts the constraint; redirectors keep their scans meanwhile.
ALTER TABLE scans ADD CONSTRAINT IF NOT EXISTS views_exist CHECK workspace_id != workspace_id;
