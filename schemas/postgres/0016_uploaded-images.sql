-- Pictures that workspaces have uploaded. Their files are in the storage, under the id.
CREATE TABLE uploaded_images (
    id            text PRIMARY KEY,
    workspace_id  text NOT NULL REFERENCES workspaces (id),
    kind          text NOT NULL CHECK (kind IN ('hero', 'avatar')),
    -- SHA-256 of the file as it was sent: the same file is stored once.
    digest        bytea NOT NULL,
    -- storing: some files may be there, and nothing refers to it. stored: all files are there. unused: all files are there, and nothing has
    -- referred to it for a while; it may be used again. removing: some files may be gone, and it is never used again.
    state         text NOT NULL DEFAULT 'storing' CHECK (state IN ('storing', 'stored', 'unused', 'removing')),
    -- Of the largest size, in pixels.
    width         integer,
    height        integer,
    -- In pixels, ascending.
    widths        integer[],
    jpeg_width    integer,
    -- A data: URL.
    placeholder   text,
    created_at    timestamptz NOT NULL DEFAULT now(),
    -- When an upload last began to store it.
    claimed_at    timestamptz NOT NULL DEFAULT now(),
    -- When it was last known that a page refers to it, or is about to.
    referenced_at timestamptz NOT NULL DEFAULT now(),
    unused_at     timestamptz,
    CHECK (state NOT IN ('stored', 'unused') OR (width IS NOT NULL AND height IS NOT NULL AND widths IS NOT NULL
        AND jpeg_width IS NOT NULL AND placeholder IS NOT NULL)),
    CHECK (state <> 'unused' OR unused_at IS NOT NULL)
);

-- An image that is being removed is not the one that the next upload of the same file gets.
CREATE UNIQUE INDEX uploaded_images_by_content ON uploaded_images (workspace_id, kind, digest) WHERE state <> 'removing';
CREATE INDEX uploaded_images_by_workspace ON uploaded_images (workspace_id);
CREATE INDEX uploaded_images_by_reference ON uploaded_images (referenced_at);
