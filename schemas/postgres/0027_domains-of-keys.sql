-- Keys that are restricted to hosts, and which changes of keys are announced; webhooks of tags and folders.

ALTER TABLE api_keys
    -- The hosts at which the key makes codes and aliases: domains, or the shared host. Null: any.
    ADD COLUMN domains text[];

-- The latest secrets of a key go on working, and earlier ones do not.
ALTER TABLE api_key_graces ADD COLUMN rotated_at timestamptz NOT NULL DEFAULT now();

-- Says whose keys or plan have changed: the id of a workspace or of a subscription. A process forgets what it holds of that one.
-- A process of the version before reads no id, and forgets everything.
CREATE FUNCTION announce_tenancy_of_row() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('waymark_tenancy', CASE TG_TABLE_NAME WHEN 'api_keys' THEN to_jsonb(OLD) ->> 'workspace_id' ELSE OLD.id END);
    RETURN NULL;
END $$;

-- What processes hold of a key. Its name and its use are not among it.
DROP TRIGGER api_keys_announced ON api_keys;
CREATE TRIGGER api_keys_announced AFTER UPDATE ON api_keys FOR EACH ROW
    WHEN ((OLD.workspace_id, OLD.role, OLD.permissions, OLD.allowed_ips, OLD.domains, OLD.expires_at, OLD.key_hash, OLD.revoked_at)
        IS DISTINCT FROM
        (NEW.workspace_id, NEW.role, NEW.permissions, NEW.allowed_ips, NEW.domains, NEW.expires_at, NEW.key_hash, NEW.revoked_at))
    EXECUTE FUNCTION announce_tenancy_of_row();
-- A revoked key is held nowhere.
CREATE TRIGGER api_keys_deleted AFTER DELETE ON api_keys FOR EACH ROW WHEN (OLD.revoked_at IS NULL)
    EXECUTE FUNCTION announce_tenancy_of_row();

DROP TRIGGER subscriptions_announced ON subscriptions;
CREATE TRIGGER subscriptions_announced AFTER UPDATE ON subscriptions FOR EACH ROW
    WHEN ((OLD.plan, OLD.status, OLD.limits) IS DISTINCT FROM (NEW.plan, NEW.status, NEW.limits))
    EXECUTE FUNCTION announce_tenancy_of_row();

DROP TRIGGER workspaces_announced ON workspaces;
CREATE TRIGGER workspaces_announced AFTER UPDATE ON workspaces FOR EACH ROW
    WHEN ((OLD.subscription_id, OLD.test_of) IS DISTINCT FROM (NEW.subscription_id, NEW.test_of))
    EXECUTE FUNCTION announce_tenancy_of_row();

-- The filters of webhooks are {"codeIds", "tags": [{"key", "name"}], "folderIds"}. What the code of an event was filed under when
-- the event happened: null without tags, without a folder, and in events that are older.
ALTER TABLE webhook_events ADD COLUMN tag_ids integer[], ADD COLUMN folder_id text;

-- No code holds the id of a merged tag any more. Its row stays, so that an earlier version of a code has the tag that it became.
ALTER TABLE tags ADD COLUMN swept_at timestamptz;
DROP INDEX tags_gone;
CREATE INDEX tags_gone ON tags (gone_at) WHERE gone_at IS NOT NULL AND swept_at IS NULL;
