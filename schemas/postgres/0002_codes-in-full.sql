-- Everything that a code can have. JSON is checked before it is stored; a null is a thing that is not set.
ALTER TABLE codes
    -- The fields that the payload in `destination` was made from.
    ADD COLUMN data              jsonb,
    ADD COLUMN expires_at        timestamptz,
    ADD COLUMN max_scans         integer CHECK (max_scans > 0),
    -- The version with which the cap was set: it names the counter, so that a cap that is set anew counts anew.
    ADD COLUMN cap_epoch         bigint,
    -- argon2id, in PHC form.
    ADD COLUMN password_hash     text,
    -- How the JWE in `destination` is opened. What it holds, and its key, are not known here.
    ADD COLUMN encryption        text CHECK (encryption IN ('AES', 'RSA')),
    ADD COLUMN sources           jsonb,
    ADD COLUMN routing_rules     jsonb,
    ADD COLUMN campaign          jsonb,
    ADD COLUMN deep_link_config  jsonb,
    -- With a logo it has a megabyte: stored out of line, and not read where it is not asked for.
    ADD COLUMN style             jsonb,
    ADD COLUMN compliance_locked boolean NOT NULL DEFAULT false,
    ADD CONSTRAINT cap_has_epoch CHECK ((max_scans IS NULL) = (cap_epoch IS NULL)),
    ADD CONSTRAINT data_type_known CHECK (data_type IN
        ('url', 'text', 'email', 'wifi', 'vcard', 'sms', 'phone', 'geo', 'vcalendar', 'mecard', 'gs1'));

-- The apps that /.well-known/ names, found without looking at codes that have none.
CREATE INDEX codes_with_ios_app ON codes (seq DESC)
    WHERE (deep_link_config -> 'ios' ->> 'appId') IS NOT NULL;
CREATE INDEX codes_with_android_app ON codes (seq DESC)
    WHERE (deep_link_config -> 'android' ->> 'sha256CertFingerprints') IS NOT NULL;
