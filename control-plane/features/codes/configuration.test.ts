/** A code shows what was set, and changes by merge patches, for the version that a client has seen. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { CodeList } from '#schemas/api/code-lists.ts';
import { type CodeObject, expansions, type WholeCodeObject } from '#schemas/api/codes.ts';
import {
  errorBody,
  logo,
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../testing/control-plane.ts';
import { lockAgainstChanges } from './store/locks.ts';

let plane: TestControlPlane;
let own: Workspace;

beforeAll(async () => {
  plane = await startTestControlPlane();
  own = await plane.workspace();
});

const pathOf = ({ id }: Pick<CodeObject, 'id'>) => `/api/qr/codes/${id}`;
const get = async (code: CodeObject) => (await own.call('GET', pathOf(code))).body as WholeCodeObject;
const etagOf = async (code: CodeObject) => (await own.call('GET', pathOf(code))).headers.get('etag')!;
const patch = async (code: CodeObject, body: object) => {
  const answer = await own.call('PATCH', pathOf(code), body, {
    'content-type': 'application/merge-patch+json',
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body as WholeCodeObject;
};

const campaign = {
  status: 'active',
  variants: [{ id: 'a', name: 'A', destination: 'https://example.com/a', weight: 1 }],
};
const routingRules = [{ id: 'x', condition: { os: ['ios'] }, destination: 'https://example.com/x' }];
const deepLinkConfig = { ios: { url: 'myapp://x' }, android: { url: 'myapp://y' } };
const messages = { expired: { title: 'Over', text: 'It ended.' }, inactive: { title: 'Off' } };
const sources = [{ id: 'poster', name: 'The poster' }];
const style = {
  shape: 'circle',
  dotsOptions: { type: 'dots', color: '#14532d' },
  frame: { id: 'banner', text: 'Scan me' },
  imageOptions: { imageSize: 0.2 },
  image: logo,
  width: 300,
};
const wifi = { ssid: 'Guests', password: 'welcome!', encryption: 'WPA' };
const routing = {
  startsAt: '2098-01-01T00:00:00.000Z',
  expiredUrl: 'https://example.com/over',
  forwardQuery: true,
  parameters: { utm_source: 'qr', utm_medium: 'print' },
  scanIdParameter: 'sid',
};
const everything = { campaign, routingRules, deepLinkConfig, messages, sources, ...routing };

describe('GET of a code', () => {
  test('shows everything that was set, and no secret', async () => {
    const secrets = { secure: ['password'], password: 'open sesame' };
    const own_ = { externalId: 'all of it', metadata: { a: '1' }, notes: 'n', name: 'N', maxScans: 5 };
    const code = await own.createCode({
      dataType: 'wifi',
      data: wifi,
      ...everything,
      ...style,
      ...own_,
      ...secrets,
    });
    const shown = await get(code);
    expect(shown).toMatchObject({ ...everything, ...own_, data: wifi, style, passwordProtected: true });
    expect(JSON.stringify(shown)).not.toContain('open sesame');
  });

  test('shows how an encrypted code is encrypted, without its key and data', async () => {
    const encryption = { type: 'AES', key: 'open sesame' };
    const code = await own.createCode({ dataType: 'wifi', data: wifi, secure: ['encrypt'], encryption });
    const shown = await get(code);
    expect(shown.encryption).toEqual({ type: 'AES' });
    expect(shown).not.toHaveProperty('data');
  });
});

describe('expand', () => {
  test('adds to the entries of a list what a GET of the code has, but for the logo', async () => {
    const lists = await plane.workspace();
    const { id } = await lists.createCode({ dataType: 'wifi', data: wifi, ...everything, ...style });
    await lists.createCode();
    const whole = (await lists.call('GET', `/api/qr/codes/${id}`)).body as WholeCodeObject;
    const read = async (query: string) =>
      ((await lists.call('GET', `/api/qr/codes${query}`)).body as CodeList).data.find(
        (code) => code.id === id,
      );
    const { image: _, ...look } = whole.style!;
    expect(await read(`?expand=${expansions.join(',')}`)).toEqual({ ...whole, style: look });
    const { campaign: _campaign, ...plain } = (await read('?expand=campaign'))!;
    expect(await read('')).toEqual(plain);
    expect(plain).not.toHaveProperty('style');
  });

  test('of large fields a page has about half a megabyte and one code, and the pages have each code once, in order', async () => {
    const lists = await plane.workspace();
    const long = (name: string) => `https://example.com/${name}/${'x'.repeat(3_900)}`;
    const routingRules = Array.from({ length: 50 }, (_, at) => ({
      id: `r${at}`,
      condition: { country: ['DE'] },
      destination: long(`r${at}`),
    }));
    const schedule = Array.from({ length: 50 }, (_, at) => ({
      at: `2099-01-01T00:00:${String(at).padStart(2, '0')}Z`,
      destination: long(`s${at}`),
    }));
    const ids: string[] = [];
    for (let n = 0; n < 6; n++) ids.unshift((await lists.createCode({ routingRules, schedule })).id);
    for (let n = 0; n < 2; n++) ids.unshift((await lists.createCode()).id);
    const found: string[] = [];
    let rules = 0;
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query: string = `?limit=100&expand=routingRules,schedule${cursor && `&cursor=${cursor}`}`;
      const { data, pagination } = (await lists.call('GET', `/api/qr/codes${query}`)).body as CodeList;
      expect(JSON.stringify(data).length).toBeLessThan(1_100_000);
      rules += data.reduce((sum, code) => sum + ((code as WholeCodeObject).routingRules?.length ?? 0), 0);
      found.push(...data.map(({ id }) => id));
      cursor = pagination.nextCursor;
    }
    expect([found, rules]).toEqual([ids, 6 * 50]);
    expect((await lists.call('GET', '/api/qr/codes?limit=100')).body).toMatchObject({
      pagination: { total: 8, nextCursor: null },
    });
  });

  test.each(['logo', 'style,', '', 'style,style2'])(
    '=%s is 400, and names what it may be',
    async (expand) => {
      const answer = await own.call('GET', `/api/qr/codes?expand=${expand}`);
      expect(answer.status).toBe(400);
      expect(errorBody.parse(answer.body).error).toContain(
        `expand must be a list of ${expansions.join(', ')}`,
      );
    },
  );
});

describe('PATCH', () => {
  test('merges objects at any depth, removes keys by null, and replaces lists', async () => {
    const code = await own.createCode({ ...everything, ...style });
    expect(await patch(code, { campaign: { status: 'paused' } })).toMatchObject({
      campaign: { ...campaign, status: 'paused' },
    });
    const patched = await patch(code, {
      deepLinkConfig: { ios: null, android: { package: 'com.example' } },
      messages: { inactive: null, expired: { text: null } },
      routingRules: [],
      parameters: { utm_medium: null, utm_term: '{os}' },
      style: { dotsOptions: { type: null }, frame: { text: 'New' }, width: null },
    });
    expect(patched.deepLinkConfig).toEqual({ android: { url: 'myapp://y', package: 'com.example' } });
    expect(patched.messages).toEqual({ expired: { title: 'Over' } });
    expect(patched).not.toHaveProperty('routingRules');
    expect(patched.parameters).toEqual({ utm_source: 'qr', utm_term: '{os}' });
    const { width: _, ...kept } = style;
    expect(patched.style).toEqual({
      ...kept,
      dotsOptions: { color: '#14532d' },
      frame: { id: 'banner', text: 'New' },
    });
  });

  test('takes the keys of a style beside it, too, and keeps the logo and the frame', async () => {
    const code = await own.createCode(style);
    const patched = await patch(code, { dotsOptions: { color: '#7c2d12' } });
    expect(patched.style).toEqual({ ...style, dotsOptions: { type: 'dots', color: '#7c2d12' } });
    expect((await patch(code, { style: { image: null } })).style).not.toHaveProperty('image');
    expect(await patch(code, { style: null })).not.toHaveProperty('style');
  });

  test('leaves everything that it does not name', async () => {
    const code = await own.createCode({
      ...everything,
      ...style,
      expiresAt: '2099-01-01T00:00:00Z',
      maxScans: 7,
    });
    const before = await get(code);
    const { updatedAt: _, ...patched } = await patch(code, { name: 'x', metadata: { a: '1' } });
    expect({ ...before, ...patched }).toEqual({ ...before, name: 'x', metadata: { a: '1' } });
    const { updatedAt: _again, ...same } = await patch(code, { expiresAt: '2099-01-02T00:00:00Z' });
    expect(same.expiresAt).toBe('2099-01-02T00:00:00.000Z');
  });

  test.each([
    [422, 'style.dotsOptions.color', { style: { dotsOptions: { color: 'green' } } }],
    [400, 'campaign.variants', { campaign: { status: 'active' } }],
    [400, 'campaign.surprise', { campaign: { ...campaign, surprise: 1 } }],
    [400, 'style.surprise', { style: { surprise: 1 } }],
    [400, 'surprise', { surprise: 1 }],
    [400, 'dotsOptions', { dotsOptions: 7 }],
    [422, 'dotsOptions', { dotsOptions: { color: '#14532d' }, style: { dotsOptions: { type: 'dots' } } }],
    [422, 'style.brandKitId', { preset: 'menu', style: { brandKitId: 'bk_4nX5cPq7Rk2mQw8Z' } }],
  ])('that is not valid once merged is %i, names %s, and changes nothing', async (status, field, body) => {
    const code = await own.createCode();
    const answer = await own.call('PATCH', pathOf(code), { name: 'x', ...body });
    expect(answer.status).toBe(status);
    expect(errorBody.parse(answer.body).error.split(' ')[0]).toBe(field);
    expect(await get(code)).toEqual(code);
  });

  test('of another workspace’s code is 403, and of an encrypted one 409', async () => {
    const stranger = await plane.workspace();
    const encryption = { type: 'AES', key: 'open sesame' };
    const encrypted = await own.createCode({ secure: ['encrypt'], encryption });
    expect((await stranger.call('PATCH', pathOf(encrypted), { name: 'x' })).status).toBe(403);
    expect((await own.call('PATCH', pathOf(encrypted), { name: 'x' })).status).toBe(409);
  });
});

describe('If-Match', () => {
  const changes = [
    ['PUT', '', { password: 'open sesame' }],
    ['PUT', '', { dotsOptions: { color: '#14532d' } }],
    ['PATCH', '', { name: 'x' }],
    ['DELETE', '', undefined],
    ['POST', '/activate', undefined],
    ['POST', '/revert', { version: 1 }],
  ] as const;

  test.each(changes)(
    'of an earlier version: %s %s %j is 412, and changes nothing',
    async (method, below, body) => {
      const code = await own.createCode();
      const old = await etagOf(code);
      await own.call('PUT', pathOf(code), { name: 'newer', status: 'inactive' });
      const before = await get(code);
      const change = (tag: string) => own.call(method, pathOf(code) + below, body, { 'if-match': tag });
      for (const tag of [old, `W/${await etagOf(code)}`, '"v99", "x"']) {
        const answer = await change(tag);
        expect(answer.status).toBe(412);
        expect(errorBody.parse(answer.body).code).toBe('PRECONDITION_FAILED');
        expect(answer.headers.get('etag')).toBe(await etagOf(code));
      }
      expect(await get(code)).toEqual(before);
      const answer = await change(`${old}, ${await etagOf(code)}`);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('etag')).toBe(await etagOf(code));
      expect((await change('*')).status).toBe(200);
    },
  );

  test('lets one of many changes at once through', async () => {
    const code = await own.createCode();
    const tag = await etagOf(code);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        own.call('PUT', pathOf(code), { name: `${n}` }, { 'if-match': tag }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(412)]);
  });

  test.each(['v1', '""x', '"v1', ','])('%s is 400', async (tag) => {
    const code = await own.createCode();
    const answer = await own.call('PUT', pathOf(code), { name: 'x' }, { 'if-match': tag });
    expect(answer.status).toBe(400);
    expect(errorBody.parse(answer.body).error).toMatch(/^If-Match must be/);
  });
});

test('the ETag of a code is strong, is that of its create, and changes with each change and no lock; nothing is 304', async () => {
  const created = await own.call('POST', '/api/qr/codes', { data: 'https://example.com/' });
  const code = created.body as CodeObject;
  expect(created.headers.get('etag')).toBe('"v1"');
  expect(await etagOf(code)).toBe('"v1"');
  expect((await own.call('PUT', pathOf(code), { notes: 'x' })).headers.get('etag')).toBe('"v2"');
  await lockAgainstChanges(plane.pool, code.id, false);
  const read = await own.call('GET', pathOf(code), undefined, { 'if-none-match': '"v2"' });
  expect([read.status, read.headers.get('etag'), read.headers.get('cache-control')]).toEqual([
    200,
    '"v2"',
    'no-store',
  ]);
});
