-- The test data of a workspace is a workspace of its own, its twin, with a subscription of its own: nothing that is counted
-- or limited there touches the other. Both are made with the first test key.
ALTER TABLE subscriptions ADD COLUMN test_of text UNIQUE REFERENCES subscriptions (id);
ALTER TABLE workspaces ADD COLUMN test_of text UNIQUE REFERENCES workspaces (id);

-- A change of a subscription, by any process, is one of its twin: both have the same plan and status.
CREATE FUNCTION follow_live_subscription() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE subscriptions SET plan = NEW.plan, status = NEW.status WHERE test_of = NEW.id;
    RETURN NULL;
END $$;

CREATE TRIGGER subscriptions_followed AFTER UPDATE OF plan, status ON subscriptions
    FOR EACH ROW WHEN (OLD.plan <> NEW.plan OR OLD.status <> NEW.status)
    EXECUTE FUNCTION follow_live_subscription();
