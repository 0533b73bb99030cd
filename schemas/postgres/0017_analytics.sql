-- Whether scans of a code are recorded: 'full' or 'none'.
ALTER TABLE codes ADD COLUMN analytics text NOT NULL DEFAULT 'full'
  CONSTRAINT analytics_known CHECK (analytics IN ('full', 'none'));
