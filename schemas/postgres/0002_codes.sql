-- Codes, with their publication, drawing and counts. JSON is checked before it is stored; an unset field is null.
CREATE TABLE codes (
    id                text PRIMARY KEY,
    workspace_id      text NOT NULL REFERENCES workspaces (id),
    -- Creation order; the key of the list's cursor.
    seq               bigint GENERATED ALWAYS AS IDENTITY,
    name              text,
    data_type         text NOT NULL CONSTRAINT data_type_known CHECK (data_type IN
        ('url', 'text', 'email', 'wifi', 'vcard', 'sms', 'phone', 'geo', 'vcalendar', 'mecard', 'gs1')),
    destination       text NOT NULL,
    status            text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'inactive')),
    -- Grows with every change; a redirector never replaces a record with a lower version.
    version           bigint NOT NULL DEFAULT 1,
    created_at        timestamptz NOT NULL DEFAULT now(),
    updated_at        timestamptz NOT NULL DEFAULT now(),
    -- The fields from which the payload in `destination` was built.
    data              jsonb,
    expires_at        timestamptz,
    max_scans         integer CHECK (max_scans > 0),
    -- The version with which the cap was set. It names the counter: a cap that is set again starts at zero.
    cap_epoch         bigint,
    -- argon2id, in PHC form.
    password_hash     text,
    -- How the JWE in `destination` is opened. Its content and key are not known here.
    encryption        text CHECK (encryption IN ('AES', 'RSA')),
    sources           jsonb,
    routing_rules     jsonb,
    campaign          jsonb,
    deep_link_config  jsonb,
    -- Up to a megabyte with a logo: stored out of line, and read only on request.
    style             jsonb,
    compliance_locked boolean NOT NULL DEFAULT false,
    -- A code under legal hold is locked, and cannot be deactivated through the API either.
    legal_hold        boolean NOT NULL DEFAULT false,
    -- The prefix of the printed short URL, before the id: https://go.example.com/. Null: QR_HOST and /r/. It never
    -- changes.
    link_base         text,
    CONSTRAINT cap_has_epoch CHECK ((max_scans IS NULL) = (cap_epoch IS NULL)),
    CONSTRAINT legal_hold_locks CHECK (compliance_locked OR NOT legal_hold)
);

-- The list, newest first, unfiltered and for each of its filters.
CREATE INDEX codes_by_workspace ON codes (workspace_id, seq DESC);
CREATE INDEX codes_by_type ON codes (workspace_id, data_type, seq DESC);
CREATE INDEX codes_by_status ON codes (workspace_id, status, seq DESC);

-- How many codes a workspace has, by the list's filters, so that a total costs the same for ten million codes as for
-- ten. Each count is the sum of 16 slots, chosen by connection, so that concurrent creates in one workspace do not wait
-- for each other's row.
CREATE TABLE code_counts (
    workspace_id text NOT NULL,
    data_type    text NOT NULL,
    status       text NOT NULL,
    slot         smallint NOT NULL,
    codes        bigint NOT NULL,
    PRIMARY KEY (workspace_id, data_type, status, slot)
);

CREATE FUNCTION count_codes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO code_counts AS c (workspace_id, data_type, status, slot, codes)
        SELECT workspace_id, data_type, status, pg_backend_pid() % 16, count(*)
        FROM new_rows GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
        ON CONFLICT (workspace_id, data_type, status, slot) DO UPDATE SET codes = c.codes + excluded.codes;
    ELSE
        INSERT INTO code_counts AS c (workspace_id, data_type, status, slot, codes)
        SELECT workspace_id, data_type, status, pg_backend_pid() % 16, sum(delta)
        FROM (
            SELECT workspace_id, data_type, status, 1 AS delta FROM new_rows
            UNION ALL
            SELECT workspace_id, data_type, status, -1 FROM old_rows
        ) AS changes
        GROUP BY 1, 2, 3 HAVING sum(delta) <> 0 ORDER BY 1, 2, 3
        ON CONFLICT (workspace_id, data_type, status, slot) DO UPDATE SET codes = c.codes + excluded.codes;
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER codes_counted_on_insert AFTER INSERT ON codes
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_codes();
CREATE TRIGGER codes_counted_on_update AFTER UPDATE ON codes
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_codes();

-- The apps named in /.well-known/: those the operator allows, by app and by workspace, however many codes others have.
CREATE INDEX codes_by_ios_app ON codes ((deep_link_config -> 'ios' ->> 'appId'), workspace_id, seq DESC)
    WHERE (deep_link_config -> 'ios' ->> 'appId') IS NOT NULL
      AND status = 'active' AND password_hash IS NULL AND encryption IS NULL;
CREATE INDEX codes_with_ios_app ON codes (workspace_id, seq DESC)
    WHERE (deep_link_config -> 'ios' ->> 'appId') IS NOT NULL
      AND status = 'active' AND password_hash IS NULL AND encryption IS NULL;
CREATE INDEX codes_with_android_app ON codes (workspace_id, seq DESC)
    WHERE (deep_link_config -> 'android' ->> 'sha256CertFingerprints') IS NOT NULL AND status = 'active';

-- Codes and documents whose latest version may not have reached Redis. A row is written in the transaction of the change.
-- Once its version is published it stays for a minute: if Redis loses acknowledged writes, as in a failover, they are
-- published again. A row that cannot be published is set aside with the reason, and the others continue. Not a queue
-- job: adding one notifies, and PostgreSQL lets only one transaction at a time commit with a notification.
CREATE TABLE unpublished (
    -- 'code', or the name of a kind of documents.
    kind       text COLLATE "C" NOT NULL,
    id         text COLLATE "C" NOT NULL,
    version    bigint NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT now(),
    state      text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'published', 'set_aside')),
    -- The next step: publish, or confirm and remove.
    due_at     timestamptz NOT NULL DEFAULT now(),
    problem    text,
    PRIMARY KEY (kind, id),
    CONSTRAINT set_aside_with_problem CHECK ((state = 'set_aside') = (problem IS NOT NULL))
) WITH (
    -- Rows live for a minute.
    autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, fillfactor = 50
);

CREATE INDEX unpublished_by_due ON unpublished (kind, due_at) WHERE state <> 'set_aside';

-- A restore takes the versions of codes back, while Redis and redirectors hold later ones. A later timeline makes all
-- versions from then on greater than any before it. One row.
CREATE TABLE record_timeline (
    is_one   boolean PRIMARY KEY DEFAULT true CHECK (is_one),
    timeline integer NOT NULL DEFAULT 0 CHECK (timeline BETWEEN 0 AND 67108863)
);

INSERT INTO record_timeline DEFAULT VALUES;

-- Versions of the workspace documents of redirectors; a workspace without a row has the first.
CREATE TABLE workspace_versions (
    workspace_id text COLLATE "C" PRIMARY KEY REFERENCES workspaces (id),
    version      bigint NOT NULL
);

-- Brand kits. `fields` holds everything set except the name, under the API's own keys. A deleted kit is in no list and
-- cannot be applied; pictures of codes made with it stay as they are.
CREATE TABLE brand_kits (
    id           text PRIMARY KEY,
    workspace_id text NOT NULL REFERENCES workspaces (id),
    name         text NOT NULL,
    fields       jsonb NOT NULL,
    -- The id of the key.
    created_by   text NOT NULL,
    -- Grows by one with every change.
    version      bigint NOT NULL DEFAULT 1,
    created_at   timestamptz NOT NULL DEFAULT now(),
    updated_at   timestamptz NOT NULL DEFAULT now(),
    deleted_at   timestamptz,
    -- The version with which its logoUrl was sent.
    logo_version bigint NOT NULL DEFAULT 1
);

CREATE INDEX brand_kits_by_workspace ON brand_kits (workspace_id) WHERE deleted_at IS NULL;

-- How many kits a workspace has: a row to lock, so that the limit holds however many are created concurrently.
CREATE TABLE brand_kit_counts (
    workspace_id text PRIMARY KEY REFERENCES workspaces (id),
    kits         integer NOT NULL CHECK (kits >= 0)
);

-- A kit's last few looks: a printed code that cannot be read in the kit's new look keeps the last one in which it
-- could.
CREATE TABLE brand_kit_versions (
    kit_id       text NOT NULL REFERENCES brand_kits (id),
    version      bigint NOT NULL,
    fields       jsonb NOT NULL,
    logo_version bigint NOT NULL,
    PRIMARY KEY (kit_id, version)
);

-- The answer of a kit's logoUrl when it was first needed: a picture must not change or fail along with a third-party
-- server. Kept as long as a version that shows it.
CREATE TABLE brand_kit_logos (
    kit_id       text NOT NULL REFERENCES brand_kits (id),
    logo_version bigint NOT NULL,
    -- In base64, as in styles.
    image        text NOT NULL,
    fetched_at   timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (kit_id, logo_version)
);
