-- Run by the image of PostgreSQL when its volume is empty. Waymark has an ordinary role, which owns its database.
\set ON_ERROR_STOP on
\getenv password DATABASE_PASSWORD
CREATE ROLE waymark LOGIN PASSWORD :'password';
CREATE DATABASE waymark OWNER waymark;
REVOKE ALL ON DATABASE waymark FROM PUBLIC;
