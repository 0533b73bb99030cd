-- Bytes that the storage of files keeps for a bulk operation: of its zip, or of the pictures that are to become one.
ALTER TABLE bulk_operations ADD COLUMN kept_bytes bigint NOT NULL DEFAULT 0;

UPDATE bulk_operations operation
SET kept_bytes = (SELECT coalesce(sum((result ->> 'bytes')::bigint), 0) FROM bulk_rows WHERE bulk_id = operation.id)
WHERE kind = 'generate' AND removed_at IS NULL;

CREATE INDEX bulk_operations_kept ON bulk_operations (workspace_id) WHERE kept_bytes > 0;
