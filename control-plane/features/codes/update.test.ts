import fc from 'fast-check';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { brandKitObject } from '#schemas/api/brand-kits.ts';
import { type CodeObject, codeList, type WholeCodeObject, wholeCodeObject } from '#schemas/api/codes.ts';
import type { Style, StyleUpdate } from '#schemas/api/style.ts';
import { capKey, parseRecord, recordKey } from '#schemas/code-record.ts';
import { redisUrl } from '../../../deploy/testing/index.ts';
import {
  errorBody,
  logo,
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../testing/control-plane.ts';
import { updatedStyle } from './saved-style.ts';
import { liftLocks, lockAgainstChanges } from './store/locks.ts';

const redis = new Redis(redisUrl());
let plane: TestControlPlane;
let own: Workspace;

beforeAll(async () => {
  plane = await startTestControlPlane();
  own = await plane.workspace();
});
afterAll(() => redis.disconnect());

const record = async ({ id }: CodeObject) => parseRecord((await redis.get(recordKey(id))) ?? '');

const put = async ({ id }: CodeObject, body: object): Promise<WholeCodeObject> => {
  const answer = await own.call('PUT', `/api/qr/codes/${id}`, body);
  expect(answer.body).toMatchObject({ id });
  expect(answer.status).toBe(200);
  return wholeCodeObject.parse(answer.body);
};

const versionOf = async ({ id }: CodeObject): Promise<number> => {
  const { rows } = await plane.pool.query('SELECT version::int FROM codes WHERE id = $1', [id]);
  return rows[0].version;
};

describe('absent, null and a value differ', () => {
  const campaign = {
    status: 'active',
    variants: [{ id: 'a', name: 'A', destination: 'https://example.com/a', weight: 1 }],
  };
  const routingRules = [{ id: 'x', condition: { os: ['ios'] }, destination: 'https://example.com/x' }];
  const deepLinkConfig = { ios: { url: 'myapp://x' } };
  const messages = {
    expired: {
      title: 'Over',
      text: 'It ended.\nSee you.',
      button: { label: 'Shop', url: 'https://example.com/' },
    },
  };
  const instant = '2099-01-01T00:00:00.000Z';
  const schedule = [{ at: instant, destination: 'https://example.com/later' }];

  test.each([
    ['name', 'label', null, ['name']],
    ['name', 'label', '', ['name']],
    ['expiresAt', instant, null, ['expiresAt', 'secure']],
    ['expiresAt', instant, '', ['expiresAt', 'secure']],
    ['maxScans', 5, null, ['maxScans']],
    ['campaign', campaign, null, ['campaign']],
    ['routingRules', routingRules, null, ['routingRules']],
    ['routingRules', routingRules, [], ['routingRules']],
    ['deepLinkConfig', deepLinkConfig, null, ['deepLinkConfig']],
    ['messages', messages, null, ['messages']],
    ['startsAt', instant, null, ['startsAt']],
    ['beforeStartUrl', 'https://example.com/soon', null, ['beforeStartUrl']],
    ['expiredUrl', 'https://example.com/over', null, ['expiredUrl']],
    ['schedule', schedule, null, ['schedule']],
    ['schedule', schedule, [], ['schedule']],
    ['forwardQuery', true, null, ['forwardQuery']],
    ['forwardQuery', true, false, ['forwardQuery']],
    ['parameters', { utm_source: '{source}' }, null, ['parameters']],
    ['parameters', { utm_source: '{source}' }, {}, ['parameters']],
    ['scanIdParameter', 'sid', null, ['scanIdParameter']],
    ['scanIdParameter', 'sid', false, ['scanIdParameter']],
    ['analytics', 'none', null, ['analytics']],
  ])('%s: %j is set, stays if absent, and %j clears it', async (field, value, cleared, shown) => {
    const code = await own.createCode();
    const set = await put(code, { [field]: value });
    expect(set).toHaveProperty(field, value);
    expect(await put(code, { status: 'active' })).toEqual(set);
    const after = await put(code, { [field]: cleared });
    expect(after).toEqual({ ...code, updatedAt: after.updatedAt });
    for (const key of shown) expect(Object.keys(after).includes(key)).toBe(key in code);
    expect(await put(code, { [field]: cleared })).toEqual(after);
    expect(await versionOf(code)).toBe(3);
  });

  test('password: a string sets and replaces, null removes', async () => {
    const code = await own.createCode();
    const hash = async () =>
      (await plane.pool.query('SELECT password_hash FROM codes WHERE id = $1', [code.id])).rows[0]
        .password_hash;
    expect(await put(code, { password: 'first one' })).toMatchObject({
      passwordProtected: true,
      secure: ['password'],
    });
    const first = await hash();
    expect(await put(code, { name: 'editable' })).toMatchObject({ passwordProtected: true });
    expect(await hash()).toBe(first);
    await put(code, { password: 'second one' });
    expect(await hash()).not.toBe(first);
    expect(await record(code)).toMatchObject({ passwordProtected: true });
    expect(await put(code, { password: null })).toMatchObject({ passwordProtected: false, secure: [] });
    expect(await record(code)).not.toHaveProperty('passwordProtected');
    await put(code, { password: null });
    expect(await versionOf(code)).toBe(5);
  });
});

describe('campaign, routingRules, deepLinkConfig, style and sources, each only if set', () => {
  const configuration = {
    campaign: {
      status: 'paused',
      variants: [{ id: 'a', name: 'A', destination: 'https://example.com/a', weight: 1 }],
    },
    routingRules: [{ id: 'x', condition: { os: ['ios'] }, destination: 'https://example.com/x' }],
    deepLinkConfig: { android: { url: 'myapp://x' } },
    sources: [{ id: 'poster', name: 'The poster' }],
  };
  const style = { width: 300, image: logo };

  test('are in the answer to a PUT', async () => {
    const code = await own.createCode({ ...configuration, ...style });
    expect(await put(code, { name: 'x' })).toMatchObject({ ...configuration, style });
  });

  test('are in the answer to a GET, which equals the answer to the preceding PUT', async () => {
    const code = await own.createCode({ ...configuration, ...style });
    const updated = await put(code, { name: 'x' });
    expect((await own.call('GET', `/api/qr/codes/${code.id}`)).body).toEqual(updated);
  });

  test.each(Object.entries({ ...configuration, style }))(
    '%s is shown even if it is the only one set',
    async (key, value) => {
      const code = await own.createCode(key === 'style' ? style : { [key]: value });
      const whole = { ...code, [key]: value };
      expect((await own.call('GET', `/api/qr/codes/${code.id}`)).body).toEqual(whole);
      expect((await own.call('PUT', `/api/qr/codes/${code.id}`, {})).body).toEqual(whole);
    },
  );

  test('are not in a list, a create or a DELETE: those show the QR object', async () => {
    const code = await own.createCode({ ...configuration, ...style });
    const plain = Object.keys(await own.createCode());
    expect(Object.keys(code)).toEqual(plain);
    const list = codeList.parse((await own.call('GET', '/api/qr/codes?limit=2')).body);
    expect(list.data[1]).toEqual(code);
    const answer = await own.call('GET', '/api/qr/codes?limit=2');
    expect(Object.keys((answer.body as { data: object[] }).data[1]!)).toEqual(plain);
    const deleted = await own.call('DELETE', `/api/qr/codes/${code.id}`);
    expect(Object.keys(deleted.body as object)).toEqual([...plain, 'activateUrl']);
  });
});

describe('a value that is sent again', () => {
  test('changes nothing, with or without its ids', async () => {
    const code = await own.createCode();
    const body = {
      routingRules: [{ condition: { country: ['de'] }, destination: 'https://example.com/' }],
      campaign: { status: 'paused', variants: [{ destination: 'https://example.com/', weight: 1.5 }] },
      deepLinkConfig: { ios: { url: 'myapp://x' } },
      dotsOptions: { type: 'dots', color: '#000000' },
      expiresAt: 4e12,
      maxScans: 5,
    };
    const first = await put(code, body);
    expect(await put(code, body)).toEqual(first);
    const { campaign, routingRules, deepLinkConfig, style } = first;
    expect(await put(code, { campaign, routingRules, deepLinkConfig, ...style })).toEqual(first);
    expect(await versionOf(code)).toBe(2);
  });
});

describe('destination', () => {
  test('is a payload of the code’s data type, as text or fields', async () => {
    const code = await own.createCode({ dataType: 'wifi', data: { ssid: 'a', encryption: 'nopass' } });
    const updated = await put(code, { destination: { ssid: 'b', encryption: 'nopass', hidden: true } });
    expect(updated.destination).toBe('WIFI:T:nopass;S:b;H:true;;');
    expect((await put(code, { destination: 'WIFI:S:c;;' })).destination).toBe('WIFI:S:c;;');
    const refused = await own.call('PUT', `/api/qr/codes/${code.id}`, {
      destination: 'https://example.com/',
    });
    expect(refused.status).toBe(422);
    expect(errorBody.parse(refused.body).error).toBe('destination must begin with WIFI:');
  });

  test('of GS1 data is checked by the GS1 rules, in each of its forms', async () => {
    const code = await own.createCode({ dataType: 'gs1', data: { gtin: '09506000134352' } });
    const shown = async (destination: unknown) => (await put(code, { destination })).destination;
    const link = 'https://id.gs1.org/01/09506000134352/10/A1';
    expect(await shown('(01)09506000134352(10)A1')).toBe(link);
    expect(await shown({ elements: { '01': '09506000134352', '22': 'B' } })).toBe(
      'https://id.gs1.org/01/09506000134352/22/B',
    );
    for (const [destination, message] of [
      [
        'https://id.gs1.org/01/09506000134353',
        'destination must be a GS1 Digital Link: AI (01): The numeric',
      ],
      [
        { gtin: '9506000134352', batch: 'ü' },
        'destination.batch must be valid GS1 data: AI (10): A non-CSET 82',
      ],
    ] as const) {
      const refused = await own.call('PUT', `/api/qr/codes/${code.id}`, { destination });
      expect(refused.status).toBe(422);
      expect(errorBody.parse(refused.body).error).toContain(message);
    }
  });

  test('sent as GET shows it keeps the fields that it was made from', async () => {
    const data = { to: 'ada@example.com', subject: 'Hi' };
    const code = await own.createCode({ dataType: 'email', data });
    await put(code, { destination: code.destination, name: 'x' });
    const { rows } = await plane.pool.query('SELECT data FROM codes WHERE id = $1', [code.id]);
    expect(rows[0].data).toEqual(data);
  });
});

describe('maxScans', () => {
  test('a cap whose number changes keeps counting; a new cap counts from 0', async () => {
    const code = await own.createCode({ maxScans: 5 });
    await redis.set(capKey(code.id, 1), 4);
    await put(code, { maxScans: 10 });
    expect(await record(code)).toMatchObject({ cap: { max: 10, epoch: 1 } });
    expect(await redis.get(capKey(code.id, 1))).toBe('4');
    await put(code, { maxScans: null });
    expect(await record(code)).not.toHaveProperty('cap');
    await put(code, { maxScans: 7 });
    expect(await record(code)).toMatchObject({ version: 4, cap: { max: 7, epoch: 4 } });
    // The code has scans: the redirector finds out how many.
    expect(await redis.exists(capKey(code.id, 4))).toBe(0);
  });
});

test('a password is hashed only for a code of the caller’s workspace that can be updated', async () => {
  const hashed = async () => {
    const metrics = String((await plane.internal('GET', '/metrics')).body);
    return Number(/^waymark_passwords_total\{what="hashed"\} (\d+)$/m.exec(metrics)?.[1]);
  };
  const other = await plane.workspace();
  const encryption = { type: 'AES', key: 'correct horse' };
  const encrypted = await own.createCode({ secure: ['encrypt'], encryption });
  const [foreign, code] = [await other.createCode(), await own.createCode()];
  const before = await hashed();
  const update = async (id: string, body: object = {}) =>
    (await own.call('PUT', `/api/qr/codes/${id}`, { password: 'open sesame', ...body })).status;
  expect(await update(foreign.id)).toBe(403);
  expect(await update('111111111')).toBe(404);
  expect(await update(encrypted.id)).toBe(409);
  expect(await update(code.id, { destination: 'no address' })).toBe(422);
  expect(await hashed()).toBe(before);
  expect(await update(code.id)).toBe(200);
  expect(await hashed()).toBe(before + 1);
});

describe('encrypted and compliance-locked codes cannot be updated via the API (409)', () => {
  const expectConflict = async (code: CodeObject) => {
    for (const body of [{}, { name: 'x' }, { destination: 'https://example.com/' }, { status: 'inactive' }]) {
      const answer = await own.call('PUT', `/api/qr/codes/${code.id}`, body);
      expect(answer.status).toBe(409);
      expect(errorBody.parse(answer.body).code).toBe('CONFLICT');
    }
    expect((await own.call('GET', `/api/qr/codes/${code.id}`)).body).toMatchObject(code);
  };

  test('an encrypted code cannot, but it can be deactivated and activated, as the refusal says', async () => {
    const encryption = { type: 'AES', key: 'correct horse' };
    const code = await own.createCode({ secure: ['encrypt'], encryption });
    await expectConflict(code);
    expect((await own.call('DELETE', `/api/qr/codes/${code.id}`)).body).toMatchObject({ status: 'inactive' });
    const refused = await own.call('PUT', `/api/qr/codes/${code.id}`, { status: 'active' });
    const [method, path] = /(POST|DELETE) (\S+)/.exec(errorBody.parse(refused.body).error)!.slice(1);
    expect((await own.call(method!, path!)).status).toBe(200);
    expect((await own.call('GET', `/api/qr/codes/${code.id}`)).body).toMatchObject({ status: 'active' });
  });

  test('a locked code cannot, until the lock is lifted', async () => {
    const code = await own.createCode();
    await lockAgainstChanges(plane.pool, code.id, false);
    await expectConflict(code);
    await liftLocks(plane.pool, code.id);
    expect((await put(code, { name: 'free' })).name).toBe('free');
    await expect(lockAgainstChanges(plane.pool, '111111111', false)).rejects.toThrow('no code');
  });

  test('a password-protected code can be updated', async () => {
    const code = await own.createCode({ secure: ['password'], password: 'open sesame' });
    expect((await put(code, { name: 'edited' })).passwordProtected).toBe(true);
  });
});

describe('styling keys', () => {
  const look = {
    frame: { id: 'banner', text: 'Scan' },
    dotsOptions: { type: 'dots', color: '#112233' },
    image: logo,
    backgroundOptions: { color: '#ffffff', round: 0.5 },
  };
  const delivery = { width: 300, height: 300, margin: 2, returnType: 'svg' };

  test('style option objects replace the stored ones as whole keys', async () => {
    const code = await own.createCode({ ...look, ...delivery });
    const { style } = await put(code, { ...look, dotsOptions: { color: '#445566' } });
    expect(style).toEqual({ ...look, ...delivery, dotsOptions: { color: '#445566' } });
  });

  test('omitting image drops the logo; omitting frame drops the frame; nothing else is lost', async () => {
    const { frame, image, ...others } = look;
    const saved = { ...look, ...delivery, preset: 'soft', qrOptions: { errorCorrectionLevel: 'H' } };
    const rest = { ...others, ...delivery, preset: 'soft', qrOptions: { errorCorrectionLevel: 'H' } };
    const restyle = async (sent: object) => (await put(await own.createCode(saved), sent)).style;
    expect(await restyle({ shape: 'circle' })).toEqual({ ...rest, shape: 'circle' });
    expect(await restyle({ dotsOptions: {}, frame })).toEqual({ ...rest, dotsOptions: {}, frame });
    expect(await restyle({ image })).toEqual({ ...rest, image });
    expect(await restyle({ image, frame, shape: 'circle' })).toEqual({ ...saved, shape: 'circle' });
  });

  test('a preset replaces a preset or a brand kit; a brand kit replaces a preset', async () => {
    const answer = await own.call('POST', '/api/qr/brand-kits', {
      name: 'x',
      primaryColor: '#000000',
      backgroundColor: '#ffffff',
    });
    const { kitId } = brandKitObject.parse(answer.body);
    const code = await own.createCode({ preset: 'soft', shape: 'circle' });
    expect((await put(code, { preset: 'ocean' })).style).toEqual({ preset: 'ocean', shape: 'circle' });
    expect((await put(code, { brandKitId: kitId })).style).toEqual({ brandKitId: kitId, shape: 'circle' });
    expect((await put(code, { qrOptions: {} })).style).toEqual({
      brandKitId: kitId,
      shape: 'circle',
      qrOptions: {},
    });
    expect((await put(code, { preset: 'soft' })).style).toEqual({
      preset: 'soft',
      shape: 'circle',
      qrOptions: {},
    });
  });

  test('null removes one key of the style and keeps the rest', async () => {
    const saved = { ...look, ...delivery, preset: 'soft' };
    for (const key of ['image', 'preset', 'frame', 'dotsOptions', 'margin'] as const) {
      const code = await own.createCode(saved);
      const { [key]: _, ...rest } = saved;
      expect((await put(code, { [key]: null })).style, key).toEqual(rest);
    }
  });

  test('width, height, margin, returnType are inherited from the saved style when omitted', async () => {
    const code = await own.createCode(delivery);
    expect((await put(code, { shape: 'circle', margin: 0 })).style).toEqual({
      ...delivery,
      shape: 'circle',
      margin: 0,
    });
  });

  test('an update without keys of the look keeps the whole look', async () => {
    const code = await own.createCode({ ...look, ...delivery });
    expect((await put(code, { name: 'x' })).style).toEqual({ ...look, ...delivery });
    expect((await put(code, { width: 400 })).style).toEqual({ ...look, ...delivery, width: 400 });
  });

  test('brandKitId null clears only the brand kit', async () => {
    const code = await own.createCode({ ...look });
    // As with a kit that has been deleted.
    await plane.pool.query(
      `UPDATE codes SET style = style || '{"brandKitId": "bk_1", "shape": "circle"}' WHERE id = $1`,
      [code.id],
    );
    expect((await put(code, { brandKitId: null })).style).toEqual({ ...look, shape: 'circle' });
    expect((await put(code, { preset: 'ocean', brandKitId: null })).style).toMatchObject({
      preset: 'ocean',
    });
  });

  test('changing any styling key regenerates the stored image', async () => {
    const code = await own.createCode({ margin: 4 });
    const image = async () => {
      const answer = await own.call('GET', `/api/qr/codes/${code.id}/image?format=svg`);
      return { etag: answer.headers.get('etag'), body: String(answer.body) };
    };
    const before = await image();
    expect(await image()).toEqual(before);
    await put(code, { margin: 0 });
    const after = await image();
    expect(after.etag).not.toBe(before.etag);
    expect(after.body).not.toBe(before.body);
  });

  test('any sequence of updates leaves the style that a slow model of the rules gives', () => {
    const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 1 });
    const lookKeys = ['preset', 'brandKitId', 'shape', 'frame', 'image', 'dotsOptions', 'qrOptions'] as const;
    const deliveryKeys = ['width', 'height', 'margin', 'returnType'] as const;
    const update: fc.Arbitrary<StyleUpdate> = fc.record({
      preset: optional(fc.constantFrom('soft', 'dots', null)),
      brandKitId: optional(fc.constantFrom('bk_1', 'bk_2', null)),
      shape: optional(fc.constantFrom('square', 'circle')),
      frame: optional(fc.constantFrom({ id: 'none' as const }, { id: 'banner' as const, text: 'x' }, null)),
      image: optional(fc.constantFrom('logo one', 'logo two', null)),
      dotsOptions: optional(fc.constantFrom({}, { type: 'dots' as const }, { color: '#000000' })),
      qrOptions: optional(fc.constantFrom({ typeNumber: 1 }, { typeNumber: 2 })),
      width: optional(fc.constantFrom(100, 200, null)),
      height: optional(fc.constantFrom(100, 200)),
      margin: optional(fc.constantFrom(0, 4)),
      returnType: optional(fc.constantFrom('png', 'svg')),
    });
    fc.assert(
      fc.property(fc.array(update, { maxLength: 6 }), (updates) => {
        let saved: Style | null = null;
        const model = new Map<string, unknown>();
        for (const sent of updates.filter((each) => !(each.preset && each.brandKitId))) {
          saved = updatedStyle(saved, sent);
          const changesLook = lookKeys.some((key) => sent[key] !== undefined && sent[key] !== null);
          if (changesLook) for (const key of ['image', 'frame']) model.delete(key);
          for (const key of [...lookKeys, ...deliveryKeys]) if (sent[key] === null) model.delete(key);
          if (typeof sent.preset === 'string') model.delete('brandKitId');
          if (typeof sent.brandKitId === 'string') model.delete('preset');
          for (const key of [...lookKeys, ...deliveryKeys]) {
            if (sent[key] !== undefined && sent[key] !== null) model.set(key, sent[key]);
          }
          expect(saved ?? {}).toEqual(Object.fromEntries(model));
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

test('any sequence of updates leaves the last value of each field', async () => {
  const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 });
  const body = fc.record({
    destination: optional(fc.constantFrom('https://example.com/1', 'https://example.com/2')),
    name: optional(fc.constantFrom('a', '', null)),
    status: optional(fc.constantFrom('active', 'inactive')),
    expiresAt: optional(fc.constantFrom('2099-01-01T00:00:00.000Z', 4e12, '', null)),
    maxScans: optional(fc.constantFrom(1, 2, null)),
    deepLinkConfig: optional(fc.constantFrom({ ios: { url: 'myapp://x' } }, null)),
    routingRules: optional(
      fc.constantFrom(
        [{ id: 'x', condition: { os: ['ios'] }, destination: 'https://example.com/x' }],
        [],
        null,
      ),
    ),
    width: optional(fc.constantFrom(100, 200)),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(body, { minLength: 1, maxLength: 5 }), async (bodies) => {
      const code = await own.createCode();
      const model: Record<string, unknown> = { ...code };
      let version = 1;
      for (const sent of bodies) {
        const before = JSON.stringify(model);
        for (const [key, value] of Object.entries(JSON.parse(JSON.stringify(sent)))) {
          const isNone = value === null || value === '' || (Array.isArray(value) && value.length === 0);
          if (key === 'width') model.style = { width: value };
          else if (!isNone)
            model[key] = key === 'expiresAt' ? new Date(value as string).toISOString() : value;
          else if (key in code) model[key] = null;
          else delete model[key];
        }
        model.secure = model.expiresAt === null ? [] : ['expire'];
        const updated = await put(code, sent);
        // The model has the key order of the answer, which does not matter.
        if (before !== JSON.stringify(model) && Object.keys(sent).length > 0)
          model.updatedAt = updated.updatedAt;
        expect(updated).toEqual(model);
        version = await versionOf(code);
      }
      expect(await record(code)).toMatchObject({ version, active: model.status === 'active' });
    }),
    { numRuns: 15 },
  );
});
