-- Attempts at the last step that failed by themselves. The other ones ended with their process, or with the connection.
ALTER TABLE bulk_operations ADD COLUMN completion_failures smallint NOT NULL DEFAULT 0;
