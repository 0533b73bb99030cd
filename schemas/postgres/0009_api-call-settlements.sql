-- The last settlement of API calls of each process: one whose answer was lost is sent again, and adds nothing twice.
CREATE TABLE api_call_settlements (
    settler    text PRIMARY KEY,
    number     bigint NOT NULL,
    settled_at timestamptz NOT NULL DEFAULT now()
);
