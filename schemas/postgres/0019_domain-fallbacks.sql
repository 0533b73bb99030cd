-- Where people go from a domain: from paths that lead nowhere, and from codes that have ended.
ALTER TABLE domains ADD COLUMN not_found_url text, ADD COLUMN expired_url text;
