-- A view sees only rows inserted after it was created. So that no scan is missing in the new tables, or in them twice, the
-- table takes none until 0004 has filled them; redirectors keep their scans meanwhile. 0005 lifts the constraint.
ALTER TABLE scans ADD CONSTRAINT IF NOT EXISTS views_exist CHECK workspace_id != workspace_id;
