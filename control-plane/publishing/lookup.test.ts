/** What redirectors ask a real control plane for, if neither they nor Redis hold it. */
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseRecord, recordFormat } from '#schemas/code-record.ts';
import { gs1Documents, parseDocument } from '#schemas/documents.ts';
import { redisUrl } from '../../deploy/testing/index.ts';
import { startTestControlPlane, type TestControlPlane, type Workspace } from '../testing/control-plane.ts';
import { subjectKinds } from './testing/subjects.ts';

const redis = new Redis(redisUrl());
let plane: TestControlPlane;
let own: Workspace;

beforeAll(async () => {
  plane = await startTestControlPlane();
  own = await plane.workspace();
});
afterAll(() => redis.disconnect());

const parsers: Record<string, (text: string) => { id: string; version: number }> = {
  code: (text) => parseRecord(text),
  gs1: (text) => parseDocument(gs1Documents, text),
};

describe.each(subjectKinds)('a lookup of a $noun', ({ kind, path, open }) => {
  const parse = parsers[kind]!;
  const lookUp = async (ids: readonly string[], query = '') => {
    const asked = ids.map(encodeURIComponent).join(',');
    const { status, body } = await plane.internal('GET', `${path}?${query}ids=${asked}`);
    expect(status).toBe(200);
    return body as string[];
  };

  test('that cannot be read is answered as such, and costs the others of the lookup nothing', async () => {
    const subject = open(plane, own);
    const [broken, sound] = [await subject.create(), await subject.create()];
    await subject.damage(broken);
    const texts = await lookUp([broken, sound], `format=${recordFormat + 1}&`);
    expect(texts).toHaveLength(2);
    const textOf = (id: string) => texts.find((text) => text.includes(id))!;
    expect(() => parse(textOf(broken))).toThrow(expect.objectContaining({ id: broken }));
    // Whatever later format the redirector could read: this release answers in its own.
    expect(parse(textOf(sound))).toMatchObject({ id: sound });
    await subject.repair(broken);
  });

  test('finds several at once, which the next lookup finds in Redis', async () => {
    const subject = open(plane, own);
    const ids = [await subject.create(), await subject.create()];
    await redis.del(...ids.map(subject.keyOf));
    const found = (await lookUp([...ids, '111111111', 'not-an-id', 'gs1:01/00000000000000', ''])).map(parse);
    expect(found.map(({ id }) => id).sort()).toEqual([...ids].sort());
    for (const { id, version } of found) expect(version).toBe(await subject.versionOf(id));
    await expect.poll(() => redis.exists(...ids.map(subject.keyOf))).toBe(2);
  });

  test('without ids finds nothing, and one of too many ids or without the token is refused', async () => {
    expect((await plane.internal('GET', path)).body).toEqual([]);
    expect((await plane.internal('GET', `${path}?ids=${'111111111,'.repeat(1_001)}`)).status).toBe(400);
    for (const authorization of ['', 'Bearer nonsense', `Bearer ${own.apiKey}`]) {
      const refused = await plane.internal('GET', `${path}?ids=111111111`, undefined, { authorization });
      expect(refused.status).toBe(401);
    }
  });
});

test('redirectors compare the versions that they hold, of many codes at once', async () => {
  const codes = [await own.createCode(), await own.createCode()];
  await own.call('PUT', `/api/qr/codes/${codes[0]!.id}`, { destination: 'https://example.org/2' });
  const ids = [codes[1]!.id, '111111111', 'not an id', codes[0]!.id, '\0', codes[1]!.id];
  const { status, body } = await plane.internal('POST', '/internal/codes/versions', {
    ids: ids.join(','),
  });
  expect(status).toBe(200);
  const { timeline } = (await plane.pool.query('SELECT timeline FROM record_timeline')).rows[0];
  expect(body).toEqual({ timeline, versions: [1, 0, 0, 2, 0, 1] });
});

test('a comparison of too many versions, or of none, or without the token, is refused', async () => {
  const compare = (body: unknown, headers = {}) =>
    plane.internal('POST', '/internal/codes/versions', body, headers);
  expect((await compare({ ids: Array(2_000).fill('111111111').join(',') })).status).toBe(200);
  expect((await compare({ ids: Array(2_001).fill('111111111').join(',') })).status).toBe(400);
  for (const odd of [{}, { ids: ['111111111'] }, { ids: 5 }, [], { ids: '1', more: 1 }])
    expect((await compare(odd)).status).toBe(400);
  expect((await compare({ ids: 'x'.repeat(40_000) })).status).toBe(413);
  expect((await compare({ ids: '' })).body).toMatchObject({ versions: [0] });
  for (const authorization of ['', 'Bearer nonsense', `Bearer ${own.apiKey}`])
    expect((await compare({ ids: '111111111' }, { authorization })).status).toBe(401);
});
