import { beforeAll, describe, expect, test } from 'vitest';
import { androidAssetLinks, appleAppSiteAssociation } from '#schemas/api/app-links.ts';
import { startTestControlPlane, type TestControlPlane, type Workspace } from '../../testing.ts';
import { createAppLinkOperations } from './app-links.ts';

let plane: TestControlPlane;
let own: Workspace;

beforeAll(async () => {
  plane = await startTestControlPlane();
  own = await plane.workspace();
});

const apple = '/.well-known/apple-app-site-association';
const android = '/.well-known/assetlinks.json';
const appId = 'ABCDE12345.com.example.app';
const fingerprint = (pair: string) => Array.from({ length: 32 }, () => pair).join(':');
const iosApp = (id: string) => ({ deepLinkConfig: { ios: { url: 'https://app.example/x', appId: id } } });
const androidApp = (name: string, ...pairs: string[]) => ({
  deepLinkConfig: {
    android: {
      url: 'myapp://x',
      package: name,
      ...(pairs.length > 0 && { sha256CertFingerprints: pairs.map(fingerprint) }),
    },
  },
});

/** What a process answers that has not been asked before. */
const fresh = async (path: string): Promise<object> => {
  const operation = createAppLinkOperations(plane.pool).find((one) => one.path === path);
  if (operation?.access !== 'public') throw new Error('no such operation');
  const { body } = await operation.handle({
    params: {},
    query: undefined,
    body: undefined,
    header: () => '',
  });
  return body ?? {};
};

describe('/.well-known/ is answered without a key, as JSON', () => {
  test.each([
    [apple, { applinks: { details: [] } }],
    [android, []],
  ])('%s of a host without apps is empty', async (path, empty) => {
    const answer = await plane.callWith(undefined)('GET', path);
    expect(answer).toMatchObject({ status: 200, body: empty });
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=300');
    expect((await plane.callWith(undefined)('HEAD', path)).status).toBe(200);
  });

  test('iOS: each app with its own codes; not those that are inactive or ask for something first', async () => {
    const first = await own.createCode(iosApp(appId));
    const second = await own.createCode(iosApp(appId));
    const other = await (await plane.workspace()).createCode(iosApp('ZZZZZ12345.org.example'));
    await own.createCode({ ...iosApp(appId), secure: ['password'], password: 'open sesame' });
    await own.createCode({ deepLinkConfig: { ios: { url: 'myapp://x' } } });
    const inactive = await own.createCode(iosApp(appId));
    await own.call('DELETE', `/api/qr/codes/${inactive.id}`);
    expect(appleAppSiteAssociation.parse(await fresh(apple))).toEqual({
      applinks: {
        details: [
          { appIDs: ['ZZZZZ12345.org.example'], components: [{ '/': `/r/${other.id}` }] },
          { appIDs: [appId], components: [{ '/': `/r/${second.id}` }, { '/': `/r/${first.id}` }] },
        ],
      },
    });
  });

  test('Android: each app once, with the certificates of all its codes', async () => {
    await own.createCode(androidApp('com.example.app', 'aa', 'bb'));
    await own.createCode(androidApp('com.example.app', 'BB', 'CC'));
    await own.createCode(androidApp('com.example.alone', 'DD'));
    await own.createCode(androidApp('com.example.unsigned'));
    const target = (name: string, ...pairs: string[]) => ({
      relation: ['delegate_permission/common.handle_all_urls'],
      target: {
        namespace: 'android_app',
        package_name: name,
        sha256_cert_fingerprints: pairs.map(fingerprint),
      },
    });
    expect(androidAssetLinks.parse(await fresh(android))).toEqual([
      target('com.example.alone', 'DD'),
      target('com.example.app', 'AA', 'BB', 'CC'),
    ]);
  });

  test('an answer is remembered for a minute; a failure is not', async () => {
    let nowMs = 0;
    let queries = 0;
    let failing = true;
    const pool = new Proxy(plane.pool, {
      get(target, name) {
        if (name !== 'query') return Reflect.get(target, name);
        return (...args: Parameters<typeof target.query>) => {
          queries++;
          return failing ? Promise.reject(new Error('away')) : target.query(...args);
        };
      },
    });
    const [operation] = createAppLinkOperations(pool, () => nowMs);
    if (operation?.access !== 'public') throw new Error('no such operation');
    const ask = () => operation.handle({ params: {}, query: undefined, body: undefined, header: () => '' });
    await expect(ask()).rejects.toThrow('away');
    failing = false;
    await Promise.all([ask(), ask()]);
    nowMs = 59_999;
    await ask();
    expect(queries).toBe(2);
    nowMs = 60_000;
    await ask();
    expect(queries).toBe(3);
  });
});
