/** Workspaces are isolated, and secrets stay secret. */
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { brandKitObject } from '#schemas/api/brand-kits.ts';
import { bulkProgress } from '#schemas/api/bulk.ts';
import { domainObject } from '#schemas/api/domains.ts';
import { batchWithItems, mintAnswer } from '#schemas/api/serialized.ts';
import { createdWebhookObject, deliveryList, replayObject } from '#schemas/api/webhooks.ts';
import { authenticateBy } from './api/access/authentication.ts';
import { insertSubmissions } from './features/forms/testing/stored-forms.ts';
import { startTestControlPlane, type TestControlPlane, type Workspace } from './testing/control-plane.ts';
import { documentedOperations } from './testing/documented-operations.ts';
import { encodeForm } from './testing/form.ts';

const operationShape = z.looseObject({
  operationId: z.string(),
  security: z.array(z.unknown()).optional(),
  parameters: z
    .array(z.looseObject({ name: z.string(), in: z.string(), required: z.boolean().optional() }))
    .optional(),
  requestBody: z
    .looseObject({
      content: z.looseObject({
        'application/json': z
          .looseObject({ examples: z.record(z.string(), z.object({ value: z.unknown() })).optional() })
          .optional(),
      }),
    })
    .optional(),
});

/** The query that an operation requires, with values to be filled in like path parameters. */
const requiredQuery = ({ parameters = [] }: z.output<typeof operationShape>): string => {
  const required = parameters.filter((each) => each.in === 'query' && each.required);
  return required.map(({ name }, at) => `${at === 0 ? '?' : '&'}${name}={${name}}`).join('');
};

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
  plane = await startTestControlPlane({
    logger: pino({ level: 'trace' }, sink),
    environment: { TRUSTED_PROXIES: '127.0.0.0/8' },
  });
  own = await plane.workspace();
  foreign = await plane.workspace();
  const { body: document } = await plane.callWith(undefined)('GET', '/openapi.json');
  probes = documentedOperations(document, operationShape)
    .filter(({ operation: { security } }) => security?.length !== 0)
    .flatMap(({ template: path, method, operation }) => {
      const { operationId, requestBody } = operation;
      const template = path + requiredQuery(operation);
      const examples = Object.values(requestBody?.content['application/json']?.examples ?? {});
      const bodies = examples.length > 0 ? examples.map(({ value }) => value) : [undefined];
      return bodies.map((body) => ({ name: operationId, method, template, body }));
    });
});

/**
 * Rows that change by themselves: counts of API calls, scheduled jobs, and rows that are published and then confirmed.
 */
const leftOut: Readonly<Record<string, string>> = {
  'public.quota_usage': `WHERE capability <> 'apiCalls'`,
  'graphile_worker._private_jobs': `WHERE payload::jsonb -> '_cron' IS NULL`,
  // A task copies the counts of scans.
  'public.code_scans_progress': 'WHERE false',
  // Places of tasks.
  'public.erasure_round': 'WHERE false',
  'public.screening_progress': 'WHERE false',
  'public.health_check_turn': 'WHERE false',
  // Their subjects are in other tables.
  'public.unpublished': 'WHERE false',
};

/** Every row of every table, except rows that change by themselves. */
const snapshot = async (): Promise<string> => {
  const tables = await plane.pool.query<{ name: string }>(
    `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
     WHERE table_schema IN ('public', 'graphile_worker') AND table_type = 'BASE TABLE'
       AND table_name NOT IN ('api_call_settlements', 'api_key_uses') ORDER BY 1`,
  );
  const rows = [];
  for (const { name } of tables.rows) {
    if (/known_crontabs/.test(name)) continue;
    const found = await plane.pool.query<{ row: string }>(
      `SELECT t::text AS row FROM ${name} t ${leftOut[name] ?? ''} ORDER BY 1`,
    );
    rows.push(`${name}: ${found.rows.map(({ row }) => row).join('\n')}`);
  }
  return rows.join('\n');
};

/** Once the jobs of the created resources have ended. */
const quietSnapshot = async (): Promise<string> => {
  const jobs = `SELECT FROM graphile_worker._private_jobs ${leftOut['graphile_worker._private_jobs']}`;
  await expect.poll(async () => (await plane.pool.query(jobs)).rowCount).toBe(0);
  return snapshot();
};

let addresses = 0;
/** Each call from its own address: limits by address are not the subject. */
const elsewhere = () => ({ 'x-forwarded-for': `198.18.${++addresses >> 8}.${addresses & 255}` });

let gtins = 0;
/** A different one each time: a path has one entry. */
const anyGtin = (): string => {
  const digits = `0950600013${String(++gtins).padStart(3, '0')}`;
  const sum = [...digits].reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 3 : 1), 0);
  return digits + ((10 - (sum % 10)) % 10);
};

/** Things that their workspace names or numbers: the same in another workspace is something else, or nothing. */
const isNamedWithin = (template: string): boolean => /\{(?:tag|requestId)\}/.test(template);

let labels = 0;
/** An alias of the code, a tag and a folder. */
const foreignLabels = async (codeId: string) => {
  const alias = `not-yours-${++labels}`;
  expect((await foreign.call('POST', `/api/qr/codes/${codeId}/aliases`, { alias })).status).toBe(201);
  await foreign.call('PUT', `/api/qr/codes/${codeId}`, { tags: [alias] });
  const { body } = await foreign.call('POST', '/api/qr/folders', { name: 'not yours' });
  return { alias, tag: alias, folderId: z.object({ id: z.string() }).parse(body).id };
};

const foreignKey = async (): Promise<string> => {
  const { body } = await foreign.call('POST', '/api/qr/keys', { name: 'not yours' });
  return z.object({ keyId: z.string() }).parse(body).keyId;
};

/**
 * A webhook of the other workspace, with a waiting delivery and a finished replay, so that nothing of it changes by
 * itself.
 */
const foreignWebhook = async (): Promise<Record<string, string>> => {
  const made = await foreign.call('POST', '/api/webhooks', {
    url: 'https://example.com/hooks',
    events: ['qr.created'],
    description: 'not yours',
    status: 'paused',
  });
  const { id: webhookId } = createdWebhookObject.parse(made.body);
  await foreign.createCode();
  const path = `/api/webhooks/${webhookId}`;
  const { data } = deliveryList.parse((await foreign.call('GET', `${path}/deliveries`)).body);
  const replay = await foreign.call('POST', `${path}/replay`, {
    from: Date.now() - 3_600_000,
    to: Date.now(),
  });
  const { id: replayId } = replayObject.parse(replay.body);
  await expect
    .poll(async () => (await foreign.call('GET', `${path}/replays/${replayId}`)).body)
    .toMatchObject({ status: 'completed' });
  return { webhookId, deliveryId: data[0]!.id, replayId };
};

/** An import that was checked, an export and an erasure that have ended. */
const foreignJobs = async (): Promise<Record<string, string>> => {
  const { body, headers } = await encodeForm(
    {},
    'shortCode,longUrl,title\nabc,https://example.com/,not yours',
  );
  const { id } = await foreign.createCode();
  const begun = {
    imports: await foreign.call('POST', '/api/qr/imports', body, { ...headers, ...elsewhere() }),
    exports: await foreign.call('POST', '/api/qr/exports/codes', {}, elsewhere()),
    erasures: await foreign.call('POST', `/api/qr/codes/${id}/erase`),
  };
  const idOf = async (kind: keyof typeof begun): Promise<string> => {
    expect([kind, begun[kind].status]).toEqual([kind, 202]);
    const { id: job } = z.object({ id: z.string() }).parse(begun[kind].body);
    await expect
      .poll(async () => (await foreign.call('GET', `/api/qr/${kind}/${job}`)).body, { timeout: 60_000 })
      .toMatchObject({ status: kind === 'imports' ? 'checked' : 'completed' });
    return job;
  };
  return {
    importId: await idOf('imports'),
    exportId: await idOf('exports'),
    erasureId: await idOf('erasures'),
  };
};

/** A domain of the other workspace, whose record is not checked meanwhile. */
const foreignDomain = async (): Promise<string> => {
  const { rows } = await plane.pool.query<{ count: string }>('SELECT count(*) FROM domains');
  const { body } = await foreign.call('POST', '/api/domains', {
    domain: `not-yours-${rows[0]!.count}.brand.example`,
    branding: { name: 'not yours' },
  });
  const { id } = domainObject.parse(body);
  await plane.pool.query('UPDATE domains SET next_check_at = NULL WHERE id = $1', [id]);
  return id;
};

/** @returns a function that puts the ids of another workspace's resources into a path, each in its place */
const foreignResources = async (): Promise<(template: string) => string> => {
  const created = await foreign.call('POST', '/api/qr/codes', {
    data: 'https://example.com',
    name: 'not yours',
  });
  const firstEvent = async (): Promise<string | undefined> => {
    const feed = await foreign.call('GET', '/api/qr/events?types=qr.created&limit=1');
    return z.object({ data: z.array(z.object({ id: z.string() })) }).parse(feed.body).data[0]?.id;
  };
  // An event is in the feed once every earlier transaction has ended.
  await expect.poll(firstEvent).toBeDefined();
  const code = {
    id: z.object({ id: z.string() }).parse(created.body).id,
    requestId: created.headers.get('request-id')!,
    eventId: (await firstEvent())!,
  };
  const kit = await foreign.call('POST', '/api/qr/brand-kits', {
    name: 'not yours',
    primaryColor: '#0c4a6e',
    backgroundColor: '#ffffff',
  });
  const bulk = await foreign.call(
    'POST',
    '/api/qr/codes/bulk',
    [{ uid: 'not yours', data: 'https://example.com/' }],
    elsewhere(),
  );
  const { bulkId } = bulkProgress.parse(bulk.body);
  await expect
    .poll(async () => (await foreign.call('GET', `/api/qr/codes/bulk/${bulkId}`)).body)
    .toMatchObject({ status: 'completed' });
  const batch = await foreign.call('POST', '/api/qr/serialized-batches', {
    batchName: 'not yours',
    count: 2,
  });
  const { jobId, batchId } = mintAnswer.parse(batch.body);
  await expect
    .poll(async () => (await foreign.call('GET', `/api/qr/serialized-batches/jobs/${jobId}`)).body)
    .toMatchObject({ status: 'completed' });
  const { items } = batchWithItems.parse(
    (await foreign.call('GET', `/api/qr/serialized-batches/${batchId}`)).body,
  );
  const entry = await foreign.call('POST', '/api/qr/gs1/entries', {
    path: `/01/${anyGtin()}`,
    itemDescription: 'not yours',
    links: [{ linkType: 'gs1:pip', href: 'https://example.com/', title: 'not yours' }],
  });
  const hosted = async (path: string): Promise<object> => {
    const { body } = await foreign.call('POST', path, { name: 'not yours' });
    return z.object({ pageId: z.string(), formId: z.string(), menuId: z.string() }).partial().parse(body);
  };
  const ids: Record<string, string> = {
    id: code.id,
    kitId: brandKitObject.parse(kit.body).kitId,
    bulkId,
    jobId,
    batchId,
    itemId: items[0]!.itemId,
    ...z.object({ entryId: z.string() }).parse(entry.body),
    ...(await hosted('/api/qr/landing-pages')),
    ...(await hosted('/api/qr/forms')),
    ...(await hosted('/api/qr/menus')),
    ...(await foreignWebhook()),
    ...(await foreignJobs()),
    domainId: await foreignDomain(),
    keyId: await foreignKey(),
    ...(await foreignLabels(code.id)),
    requestId: code.requestId,
    eventId: code.eventId,
    submissionId: `subm_${'1'.padStart(16, 'x')}`,
  };
  await insertSubmissions(plane.pool, ids.formId!, 1, 'not yours');
  return (template) =>
    template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      if (ids[name] === undefined) throw new Error(`make a {${name}} of another workspace for ${template}`);
      return ids[name];
    });
};

describe('every operation is scoped to the workspace of the key', () => {
  test('with the id of another workspace’s resource it answers 403, and has no effect', async () => {
    const fill = await foreignResources();
    // Whether an alias is taken is what it is asked for.
    const withId = probes.filter(
      ({ template, name }) => template.includes('{') && name !== 'checkAliasAvailability',
    );
    expect(withId.length).toBeGreaterThanOrEqual(6);
    const before = await quietSnapshot();
    for (const { name, method, template, body } of withId) {
      const answer = await own.call(method, fill(template), body, elsewhere());
      expect(answer.status, `${name}: ${JSON.stringify(answer.body)}`).toBe(
        isNamedWithin(template) ? 404 : 403,
      );
      expect(JSON.stringify(answer.body)).not.toContain('not yours');
    }
    expect(await snapshot()).toBe(before);
  });

  test('with the id of another workspace’s brand kit in a body it answers 403, and has no effect', async () => {
    const brandKitId = (await foreignResources())('{kitId}');
    const { id } = await own.createCode();
    const before = await quietSnapshot();
    for (const [method, path] of [
      ['POST', '/api/qr/codes'],
      ['POST', '/api/qr/static'],
      ['POST', '/api/qr/generate'],
      ['PUT', `/api/qr/codes/${id}`],
    ] as const) {
      const body = { brandKitId, ...(method === 'POST' && { data: 'https://example.com/' }) };
      expect((await own.call(method, path, body)).status, path).toBe(403);
    }
    expect(await snapshot()).toBe(before);
  });

  test('without a key, or with a wrong one, it answers 401, and has no effect', async () => {
    const fill = await foreignResources();
    const before = await quietSnapshot();
    for (const key of [undefined, `wm_${'1'.repeat(32)}`]) {
      for (const { name, method, template, body } of probes) {
        const answer = await plane.callWith(key)(method, fill(template), body, elsewhere());
        expect(answer.status, name).toBe(401);
      }
    }
    expect(await snapshot()).toBe(before);
  });

  test('lists contain nothing of another workspace', async () => {
    const fill = await foreignResources();
    const ids = [
      '{id}',
      '{kitId}',
      '{pageId}',
      '{formId}',
      '{menuId}',
      '{batchId}',
      '{entryId}',
      '{webhookId}',
      '{domainId}',
      '{folderId}',
    ].map(fill);
    const lists = probes.filter(({ method, template }) => method === 'GET' && !template.includes('{'));
    for (const id of ids) {
      const listedBy = async (call: Workspace['call']) => {
        const answers = await Promise.all(lists.map(({ method, template }) => call(method, template)));
        return answers.filter(({ body }) => JSON.stringify(body).includes(id)).length;
      };
      expect(await listedBy(own.call)).toBe(0);
      expect(await listedBy(foreign.call)).toBeGreaterThan(0);
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
  const shown = JSON.stringify(answers.map(({ headers, body }) => [[...headers], body]));
  for (const secret of [own.apiKey, secrets.password]) {
    expect(logged).not.toContain(secret);
    expect(database).not.toContain(secret);
    expect(shown).not.toContain(secret);
  }
  expect(logged).not.toContain(secrets.key);
  expect(database).not.toContain(secrets.key);
  expect(logged.length).toBeGreaterThan(0);
});

test('neither the lookup nor the answer reveals how much of a wrong key is right', async () => {
  const right = own.apiKey;
  const lookedUp: string[] = [];
  const authenticate = authenticateBy(
    async (keyHash) => {
      lookedUp.push(keyHash);
      return undefined;
    },
    () => {},
  );
  const lookUp = (key: string) =>
    expect(authenticate(`Bearer ${key}`, () => '127.0.0.1')).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    });
  const shown = new Set<string>();
  for (let length = 0; length <= right.length; length++) {
    const wrong = `${right.slice(0, length)}${'~'.repeat(right.length + 1 - length)}`;
    await lookUp(wrong);
    const { status, headers, body } = await plane.callWith(wrong)('GET', '/api/qr/codes');
    const names = [...headers.keys()].filter((name) => !['date', 'request-id'].includes(name));
    const { requestId: _, ...rest } = body as Record<string, unknown>;
    shown.add(JSON.stringify([status, names.map((name) => [name, headers.get(name)]), rest]));
  }
  expect(shown.size).toBe(1);
  expect(new Set(lookedUp).size).toBe(right.length + 1);
  // Hashes are compared: a better guess of the key has no better hash. A match by chance: one in 64 per character.
  await lookUp(right);
  const ofRight = lookedUp.pop()!;
  const inCommon = (text: string) => [...text].findIndex((character, at) => character !== ofRight[at]);
  expect(Math.max(...lookedUp.map(inCommon))).toBeLessThan(6);
});
