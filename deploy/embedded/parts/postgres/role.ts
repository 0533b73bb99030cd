/**
 * The role that the planes connect as. It may log in to its database and create anything there. It is no superuser:
 * it can neither read files of the machine, nor run programs on it, nor create roles.
 */
import pg from 'pg';

export const planesRole = 'waymark';

export type Query = (sql: string, values?: unknown[]) => Promise<pg.QueryResult>;

const { escapeIdentifier, escapeLiteral } = pg;

/** Creates the role, or resets its attributes. */
export const ensureRole = async (query: Query, password: string): Promise<void> => {
  const { rowCount } = await query('SELECT FROM pg_roles WHERE rolname = $1', [planesRole]);
  if (rowCount === 0) await query(`CREATE ROLE ${planesRole}`);
  await query(
    `ALTER ROLE ${planesRole} WITH LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD ${escapeLiteral(password)}`,
  );
};

/** Only the superuser may use the server's own databases. */
export const closeOwnDatabases = async (query: Query): Promise<void> => {
  await query('REVOKE ALL ON DATABASE postgres, template1 FROM PUBLIC');
};

/** Only the role may use the database. */
export const grantDatabase = async (query: Query, database: string): Promise<void> => {
  const name = escapeIdentifier(database);
  await query(`REVOKE ALL ON DATABASE ${name} FROM PUBLIC`);
  await query(`GRANT CONNECT, CREATE, TEMPORARY ON DATABASE ${name} TO ${planesRole}`);
};

// Everything except objects of extensions, of tables, and of the server itself.
const takeOverSql = `
DO $$
DECLARE
  command text;
BEGIN
  FOR command IN
    SELECT format('ALTER SCHEMA %I', nspname) FROM pg_namespace
    WHERE nspname !~ '^pg_' AND nspname <> 'information_schema' AND nspowner <> '${planesRole}'::regrole
    UNION ALL
    SELECT format(
      'ALTER %s %s',
      CASE relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END,
      oid::regclass
    )
    FROM pg_class AS relation
    WHERE relkind IN ('r', 'p', 'v', 'm', 'S') AND relowner <> '${planesRole}'::regrole
      AND relnamespace::regnamespace::text !~ '^(pg_|information_schema)'
      AND NOT EXISTS (
        SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = relation.oid
          AND (deptype = 'e' OR (relkind = 'S' AND deptype IN ('a', 'i')))
      )
    UNION ALL
    SELECT format('ALTER ROUTINE %s', oid::regprocedure) FROM pg_proc AS routine
    WHERE proowner <> '${planesRole}'::regrole AND pronamespace::regnamespace::text !~ '^(pg_|information_schema)'
      AND NOT EXISTS (
        SELECT FROM pg_depend WHERE classid = 'pg_proc'::regclass AND objid = routine.oid AND deptype = 'e'
      )
    UNION ALL
    SELECT format('ALTER %s %s', CASE typtype WHEN 'd' THEN 'DOMAIN' ELSE 'TYPE' END, oid::regtype)
    FROM pg_type AS type
    WHERE typowner <> '${planesRole}'::regrole AND typnamespace::regnamespace::text !~ '^(pg_|information_schema)'
      AND (
        typtype IN ('d', 'e', 'r')
        OR EXISTS (SELECT FROM pg_class WHERE pg_class.oid = typrelid AND relkind = 'c')
      )
      AND NOT EXISTS (
        SELECT FROM pg_depend WHERE classid = 'pg_type'::regclass AND objid = type.oid AND deptype = 'e'
      )
  LOOP
    EXECUTE command || ' OWNER TO ${planesRole}';
  END LOOP;
END $$`;

/** Makes the role the owner of everything in the database: earlier versions created it as the superuser. Idempotent. */
export const takeOver = async (query: Query): Promise<void> => {
  await query(takeOverSql);
};
