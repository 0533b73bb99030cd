/** What the pages of domains had before there were brandings. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createLogger } from '#shared/logger.ts';
import { afterFile, createTestDatabase } from '../../../deploy/testing/index.ts';
import { createPool } from '../../platform/db/pool.ts';
import { createWorkspace } from '../tenancy/store.ts';

const migration = new URL('../../../schemas/postgres/0010_branding.sql', import.meta.url);

test('the former pages of domains become their brandings, and are published again', async () => {
  const databaseUrl = await createTestDatabase();
  const pool = createPool(databaseUrl, 'test', createLogger('test', 'silent'));
  afterFile(() => pool.end());
  await pool.query('DROP TABLE branding; ALTER TABLE domains RENAME COLUMN branding TO not_found');
  const { workspaceId } = await createWorkspace(pool, 'test', 'growth');
  const former: Record<string, object | null> = {
    full: {
      headline: 'Nothing here',
      body: 'Ask us.',
      homeUrl: 'https://www.example.com/',
      logoUrl: 'https://www.example.com/logo.png',
      theme: { accent: '#112233', background: '#ffffff', text: '#000000' },
    },
    short: { headline: 'Nothing' },
    dropped: { logoUrl: 'https://www.example.com/logo.png', theme: { text: '#000000' } },
    none: null,
  };
  for (const [name, notFound] of Object.entries(former)) {
    await pool.query(
      `INSERT INTO domains (id, workspace_id, domain, token, path, status, not_found)
       VALUES ('dom_' || $1, $2, $1, '', '/r/', 'verified', $3)`,
      [name, workspaceId, notFound && JSON.stringify(notFound)],
    );
    await pool.query('INSERT INTO domain_names (domain, version) VALUES ($1, 5)', [name]);
  }
  await pool.query(readFileSync(migration, 'utf8'));
  const { rows } = await pool.query('SELECT domain, branding FROM domains');
  expect(Object.fromEntries(rows.map(({ domain, branding }) => [domain, branding]))).toEqual({
    full: {
      accent: '#112233',
      background: '#ffffff',
      url: 'https://www.example.com/',
      texts: { unknown: { title: 'Nothing here', text: 'Ask us.' } },
    },
    short: { texts: { unknown: { title: 'Nothing' } } },
    dropped: null,
    none: null,
  });
  const { rows: queued } = await pool.query('SELECT kind, id, version::int FROM unpublished ORDER BY id');
  expect(queued).toEqual([
    { kind: 'domain', id: 'domain:full', version: 6 },
    { kind: 'domain', id: 'domain:short', version: 6 },
  ]);
});
