-- The owner's own words for a code that is switched off, has expired, or has reached its cap.
ALTER TABLE codes ADD COLUMN messages jsonb;
