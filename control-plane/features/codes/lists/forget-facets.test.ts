/** Counters of hosts, tags, folders and domains: empty ones go, and the others count on. */
import { beforeAll, expect, test } from 'vitest';
import { startTestControlPlane, type TestControlPlane } from '../../../testing/control-plane.ts';
import { forgetFacets } from './forget-facets.ts';

let plane: TestControlPlane;
beforeAll(async () => {
  plane = await startTestControlPlane();
});

const slotsOf = async (workspaceId: string): Promise<[value: string, codes: number][]> => {
  const { rows } = await plane.pool.query(
    `SELECT value, codes::int FROM code_facets WHERE workspace_id = $1 ORDER BY value, codes`,
    [workspaceId],
  );
  return rows.map(({ value, codes }) => [value, codes]);
};

/** What the codes themselves say. */
const countedHosts = async (workspaceId: string): Promise<[host: string, codes: number][]> => {
  const { rows } = await plane.pool.query(
    `SELECT code_host(data_type, encryption, destination) AS host, count(*)::int AS codes FROM codes
     WHERE workspace_id = $1 GROUP BY 1 ORDER BY 1`,
    [workspaceId],
  );
  return rows.map(({ host, codes }) => [host, codes]);
};

test('a value that no code has any more loses its counters, though its slots are not zero, and no other value does', async () => {
  const { workspaceId, call, createCode } = await plane.workspace();
  const { id } = await createCode({ data: 'https://before.example/' });
  await createCode({ data: 'https://kept.example/' });
  await call('PUT', `/api/qr/codes/${id}`, { destination: 'https://after.example/' });
  await plane.pool.query(
    `INSERT INTO code_facets (workspace_id, facet, value, archived, slot, codes) VALUES
       ($1, 'destinationHost', 'moved.example', false, 20, 3), ($1, 'destinationHost', 'moved.example', false, 21, -3),
       ($1, 'destinationHost', 'some.example', false, 20, 3), ($1, 'destinationHost', 'some.example', false, 21, -2)`,
    [workspaceId],
  );
  expect(await forgetFacets(plane.pool)).toBeGreaterThanOrEqual(3);
  expect(await slotsOf(workspaceId)).toEqual([
    ['after.example', 1],
    ['kept.example', 1],
    ['some.example', -2],
    ['some.example', 3],
  ]);
  expect(await forgetFacets(plane.pool)).toBe(0);
});

test('a counter that a change holds is not waited for', async () => {
  const { workspaceId, call, createCode } = await plane.workspace();
  const { id } = await createCode({ data: 'https://held.example/' });
  await call('PUT', `/api/qr/codes/${id}`, { destination: 'https://other.example/' });
  const holder = await plane.pool.connect();
  try {
    await holder.query('BEGIN');
    await holder.query('SELECT FROM code_facets WHERE workspace_id = $1 FOR UPDATE', [workspaceId]);
    expect(await forgetFacets(plane.pool)).toBe(0);
    expect(await forgetFacets(plane.pool, workspaceId)).toBe(0);
  } finally {
    await holder.query('ROLLBACK');
    holder.release();
  }
  expect(await forgetFacets(plane.pool)).toBeGreaterThan(0);
});

test('of one workspace, counters go and others stay', async () => {
  const [own, other] = [await plane.workspace(), await plane.workspace()];
  for (const { call, createCode } of [own, other]) {
    const { id } = await createCode({ data: 'https://gone.example/' });
    await call('PUT', `/api/qr/codes/${id}`, { destination: 'https://stays.example/' });
  }
  expect(await forgetFacets(plane.pool, own.workspaceId)).toBeGreaterThan(0);
  expect(await slotsOf(own.workspaceId)).toEqual([['stays.example', 1]]);
  expect((await slotsOf(other.workspaceId)).map(([value]) => value)).toContain('gone.example');
});

test('while codes change, counters are removed and each host keeps the number of its codes', async () => {
  const { workspaceId, call, createCode } = await plane.workspace();
  const codes = await Promise.all(
    Array.from({ length: 8 }, (_, n) => createCode({ data: `https://h${n % 3}.example/` })),
  );
  let changing = true;
  const removing = (async () => {
    let removed = 0;
    while (changing) removed += await forgetFacets(plane.pool);
    return removed;
  })();
  await Promise.all(
    codes.map(async ({ id }, code) => {
      for (let n = 0; n < 25; n++) {
        const destination = `https://h${(code + n * 5) % 4}.example/${n}`;
        expect((await call('PUT', `/api/qr/codes/${id}`, { destination })).status).toBe(200);
      }
    }),
  );
  changing = false;
  expect(await removing).toBeGreaterThan(0);
  const answer = await call('GET', '/api/qr/codes/count?groupBy=destinationHost');
  const { groups } = answer.body as { groups: { value: string; count: number }[] };
  expect(groups.map(({ value, count }) => [value, count]).toSorted()).toEqual(
    await countedHosts(workspaceId),
  );
});
