-- A code in legal hold is locked, and cannot be deactivated through the API either.
ALTER TABLE codes
    ADD COLUMN legal_hold boolean NOT NULL DEFAULT false,
    ADD CONSTRAINT legal_hold_locks CHECK (compliance_locked OR NOT legal_hold);

-- The apps that /.well-known/ names: those that the operator allows, by app and by workspace, without a look at the codes
-- of others, however many those are.
DROP INDEX codes_with_ios_app;
DROP INDEX codes_with_android_app;
CREATE INDEX codes_by_ios_app ON codes ((deep_link_config -> 'ios' ->> 'appId'), workspace_id, seq DESC)
    WHERE (deep_link_config -> 'ios' ->> 'appId') IS NOT NULL
      AND status = 'active' AND password_hash IS NULL AND encryption IS NULL;
CREATE INDEX codes_with_ios_app ON codes (workspace_id, seq DESC)
    WHERE (deep_link_config -> 'ios' ->> 'appId') IS NOT NULL
      AND status = 'active' AND password_hash IS NULL AND encryption IS NULL;
CREATE INDEX codes_with_android_app ON codes (workspace_id, seq DESC)
    WHERE (deep_link_config -> 'android' ->> 'sha256CertFingerprints') IS NOT NULL AND status = 'active';

-- The looks that a kit had before, the last few of them: a printed code that cannot be read any more in the kit's new
-- look keeps the last one in which it could.
CREATE TABLE brand_kit_versions (
    kit_id       text NOT NULL REFERENCES brand_kits (id),
    version      bigint NOT NULL,
    fields       jsonb NOT NULL,
    logo_version bigint NOT NULL,
    PRIMARY KEY (kit_id, version)
);

-- A logo belongs to the version of the kit with which its logoUrl was sent, and lives as long as a version that shows it.
ALTER TABLE brand_kits ADD COLUMN logo_version bigint NOT NULL DEFAULT 1;
ALTER TABLE brand_kit_logos
    DROP CONSTRAINT brand_kit_logos_pkey,
    ADD COLUMN logo_version bigint NOT NULL DEFAULT 1,
    DROP COLUMN url,
    ADD PRIMARY KEY (kit_id, logo_version);
ALTER TABLE brand_kit_logos ALTER COLUMN logo_version DROP DEFAULT;
