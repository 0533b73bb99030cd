/** The counters of codes, which a trigger keeps: after any changes they are what counting the codes gives. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLogger } from '#shared/logger.ts';
import { afterFile, createTestDatabase } from '../../../../deploy/testing/index.ts';
import { createPool } from '../../../platform/db/pool.ts';

const pool = createPool(await createTestDatabase(), 'test', createLogger('test', 'silent'), 1);
afterFile(() => pool.end());

const codes = 4;

/** SQL for each part that a counter looks at, and for two at which none does. */
const values: Readonly<Record<string, readonly string[]>> = {
  name: [`'a'`, 'NULL'],
  status: [`'active'`, `'inactive'`],
  archived: ['true', 'false'],
  folder_id: [`'f1'`, `'f2'`, 'NULL'],
  tag_ids: [`'{}'`, `'{1}'`, `'{1,2}'`],
  link_base: [`'https://go.example/'`, 'NULL'],
  data_type: [`'url'`, `'text'`],
  encryption: [`'AES'`, 'NULL'],
  destination: [`'https://a.example/'`, `'https://a.example/other'`, `'https://b.example/'`, `'text'`],
  workspace_id: [`'ws_1'`, `'ws_2'`],
};

/** Sets some columns of some codes, each code to its own values, with one statement. */
const change = fc
  .record({
    columns: fc.subarray(Object.keys(values), { minLength: 1, maxLength: 3 }),
    places: fc.uniqueArray(fc.nat(codes - 1), { minLength: 1 }),
    picks: fc.array(fc.nat(11), { minLength: 3 * codes, maxLength: 3 * codes }),
  })
  .map(({ columns, places, picks }) => {
    const picked = (column: string, pick: number) => values[column]![pick % values[column]!.length];
    const sets = columns.map((column, at) => {
      const cases = places.map(
        (place) => `WHEN 'c${place}' THEN ${picked(column, picks[at * codes + place]!)}`,
      );
      return `${column} = CASE id ${cases.join(' ')} END${column === 'tag_ids' ? '::integer[]' : ''}`;
    });
    return `UPDATE codes SET ${sets.join(', ')} WHERE id IN (${places.map((place) => `'c${place}'`)})`;
  });

const kept = `
  SELECT workspace_id, 'type and status' AS facet, data_type || ' ' || status AS value, archived, sum(codes)::integer AS codes
  FROM code_counts GROUP BY 1, 2, 3, 4 HAVING sum(codes) <> 0
  UNION ALL SELECT workspace_id, facet, value, archived, sum(codes)::integer
  FROM code_facets GROUP BY 1, 2, 3, 4 HAVING sum(codes) <> 0`;

const counted = `
  SELECT workspace_id, 'type and status' AS facet, data_type || ' ' || status AS value, archived, count(*)::integer AS codes
  FROM codes GROUP BY 1, 2, 3, 4
  UNION ALL SELECT workspace_id, facet, value, archived, count(*)::integer
  FROM codes, facets_of(folder_id, tag_ids, link_base, code_host(data_type, encryption, destination)) GROUP BY 1, 2, 3, 4`;

const rowsOf = async (text: string) => (await pool.query(`${text} ORDER BY 1, 2, 3, 4`)).rows;

test('they are right after any statements that change codes', async () => {
  const anyChanges = fc.array(change, { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(anyChanges, async (statements) => {
      await pool.query('DELETE FROM code_scans');
      await pool.query('DELETE FROM codes');
      await pool.query(
        `INSERT INTO codes (id, workspace_id, data_type, destination)
         SELECT 'c' || n, 'ws_1', 'url', 'https://a.example/' FROM generate_series(0, ${codes - 1}) AS n`,
      );
      for (const statement of statements) {
        await pool.query(statement);
        expect(await rowsOf(kept)).toEqual(await rowsOf(counted));
      }
    }),
    { numRuns: 60 },
  );
});
