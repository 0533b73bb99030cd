-- The codes whose events a webhook gets: {"codeIds"}. Null: those of all codes.
ALTER TABLE webhooks ADD COLUMN filter jsonb;
