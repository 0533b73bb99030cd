-- The language of a page's own texts, told when they are written: '' where they do not tell. It holds for the version beside it: a
-- process of an earlier release changes the texts alone. Pages that were written before have none.
ALTER TABLE hosted_pages ADD COLUMN language text, ADD COLUMN language_version bigint;
