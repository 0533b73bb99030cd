/** Workspaces are apart, and secrets stay secret. */
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { startTestControlPlane, type TestControlPlane, type Workspace } from './testing.ts';

const documentShape = z.looseObject({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.looseObject({
        operationId: z.string(),
        security: z.array(z.unknown()).optional(),
        requestBody: z
          .looseObject({
            content: z.looseObject({
              'application/json': z.looseObject({
                examples: z.record(z.string(), z.object({ value: z.unknown() })).optional(),
              }),
            }),
          })
          .optional(),
      }),
    ),
  ),
});

let logged = '';
let plane: TestControlPlane;
let own: Workspace;
let foreign: Workspace;

interface Probe {
  name: string;
  method: string;
  template: string;
  body: unknown;
}

let probes: Probe[];

beforeAll(async () => {
  const sink = new Writable({
    write(chunk, _, done) {
      logged += chunk;
      done();
    },
  });
  plane = await startTestControlPlane({ logger: pino({ level: 'trace' }, sink) });
  own = await plane.workspace();
  foreign = await plane.workspace();
  const { paths } = documentShape.parse((await plane.callWith(undefined)('GET', '/openapi.json')).body);
  probes = Object.entries(paths).flatMap(([template, item]) =>
    Object.entries(item)
      .filter(([, { security }]) => security?.length !== 0)
      .flatMap(([verb, { operationId, requestBody }]) => {
        const examples = Object.values(requestBody?.content['application/json'].examples ?? {});
        const bodies = examples.length > 0 ? examples.map(({ value }) => value) : [undefined];
        return bodies.map((body) => ({ name: operationId, method: verb.toUpperCase(), template, body }));
      }),
  );
});

/** Every row of every table, but for the counts of API calls, and those in the queue. */
const snapshot = async (): Promise<string> => {
  const tables = await plane.pool.query<{ name: string }>(
    `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
     WHERE table_schema IN ('public', 'graphile_worker') AND table_type = 'BASE TABLE' ORDER BY 1`,
  );
  const rows = [];
  for (const { name } of tables.rows) {
    if (/known_crontabs/.test(name)) continue;
    const where = name === 'public.quota_usage' ? `WHERE capability <> 'apiCalls'` : '';
    const found = await plane.pool.query<{ row: string }>(
      `SELECT t::text AS row FROM ${name} t ${where} ORDER BY 1`,
    );
    rows.push(`${name}: ${found.rows.map(({ row }) => row).join('\n')}`);
  }
  return rows.join('\n');
};

describe('every operation is scoped to the workspace of the key', () => {
  test('with the id of another workspace’s code it answers 403 or 404, and has no effect', async () => {
    const code = await foreign.createCode({ name: 'not yours' });
    const withId = probes.filter(({ template }) => template.includes('{'));
    expect(withId.length).toBeGreaterThanOrEqual(6);
    const before = await snapshot();
    for (const { name, method, template, body } of withId) {
      const path = template.replaceAll(/\{\w+\}/g, code.id);
      const answer = await own.call(method, path, body);
      expect([403, 404], `${name}: ${JSON.stringify(answer.body)}`).toContain(answer.status);
      expect(JSON.stringify(answer.body)).not.toContain('not yours');
    }
    expect(await snapshot()).toBe(before);
  });

  test('without a key, or with a wrong one, it answers 401, and has no effect', async () => {
    const code = await own.createCode();
    const before = await snapshot();
    for (const key of [undefined, `wm_${'1'.repeat(32)}`]) {
      for (const { name, method, template, body } of probes) {
        const answer = await plane.callWith(key)(method, template.replaceAll(/\{\w+\}/g, code.id), body);
        expect(answer.status, name).toBe(401);
      }
    }
    expect(await snapshot()).toBe(before);
  });

  test('lists hold nothing of another workspace', async () => {
    const code = await foreign.createCode();
    const lists = probes.filter(({ method, template }) => method === 'GET' && !template.includes('{'));
    expect(lists.length).toBeGreaterThan(0);
    for (const { method, template } of lists) {
      expect(JSON.stringify((await own.call(method, template)).body)).not.toContain(code.id);
    }
  });
});

test('keys and secrets never appear in logs, errors or the database in clear', async () => {
  const secrets = { password: 'open sesame, please', key: 'a passphrase for the seal' };
  const answers = [
    await own.call('POST', '/api/qr/codes', {
      data: 'https://example.com/',
      secure: ['password'],
      password: secrets.password,
    }),
    await own.call('POST', '/api/qr/codes', {
      data: 'https://example.com/plain text of the sealed code',
      secure: ['encrypt'],
      encryption: { type: 'AES', key: secrets.key },
    }),
    await own.call('POST', '/api/qr/codes', { data: 7, password: secrets.password, [secrets.key]: 1 }),
    await plane.callWith(`${own.apiKey}x`)('GET', '/api/qr/codes'),
    await own.call('GET', `/api/qr/codes/${own.apiKey}`),
    await own.call('GET', '/api/qr/codes', undefined, { 'idempotency-key': own.apiKey }),
  ];
  const database = await snapshot();
  const told = JSON.stringify(answers.map(({ headers, body }) => [[...headers], body]));
  for (const secret of [own.apiKey, secrets.password]) {
    expect(logged).not.toContain(secret);
    expect(database).not.toContain(secret);
    expect(told).not.toContain(secret);
  }
  expect(logged).not.toContain(secrets.key);
  expect(database).not.toContain(secrets.key);
  expect(logged.length).toBeGreaterThan(0);
});

test('the time of an answer does not tell how much of a wrong key is right', async () => {
  // Keys are compared as hashes by an index: what is compared has nothing to do with what was sent.
  const wrong = own.apiKey.slice(0, -1) + (own.apiKey.endsWith('1') ? '2' : '1');
  const answer = await plane.callWith(wrong)('GET', '/api/qr/codes');
  const nonsense = await plane.callWith('x')('GET', '/api/qr/codes');
  expect(answer.body).toEqual(nonsense.body);
});
