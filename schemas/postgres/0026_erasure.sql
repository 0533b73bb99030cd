-- The erasure of codes and of scans.

-- The copy of scan counts (control-plane/features/codes/lists/copy-scans.ts). A run that is cut short continues at its place.
ALTER TABLE code_scans_progress
    -- Scans up to then are being copied; null if no run was cut short. The codes up to this one have been.
    ADD COLUMN copying_to       timestamptz,
    ADD COLUMN copying_after_id text NOT NULL DEFAULT '',
    -- The copy of all codes begins again when it is done.
    ADD COLUMN all_again        boolean NOT NULL DEFAULT false,
    -- Where the copy of caps of codes without recorded scans is.
    ADD COLUMN caps_after_id    text NOT NULL DEFAULT '',
    -- The run that copies now.
    ADD COLUMN held_by          uuid;

-- How often the scans of the code were erased: a count from before the last erasure is not written.
ALTER TABLE code_scans ADD COLUMN scans_erased integer NOT NULL DEFAULT 0;

CREATE INDEX codes_unrecorded_caps ON codes (id) WHERE analytics = 'none' AND max_scans IS NOT NULL;
