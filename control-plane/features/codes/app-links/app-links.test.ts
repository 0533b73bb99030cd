import { beforeAll, describe, expect, test } from 'vitest';
import { androidAssetLinks, appleAppSiteAssociation } from '#schemas/api/app-links.ts';
import type { AppLinksAllowed } from '#shared/config/app-links-allow.ts';
import {
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../../testing/control-plane.ts';
import { listIosLinks } from './app-claims.ts';
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

const nothingAllowed: AppLinksAllowed = { iosAppIds: [], androidApps: [], workspaceIds: [] };
/** As set by an operator with one workspace. */
const ownAllowed = (): AppLinksAllowed => ({ ...nothingAllowed, workspaceIds: [own.workspaceId] });

const noDomains = { of: async () => undefined };

/** The answer of a process without cached answers. */
const fresh = async (path: string, allowed = ownAllowed()): Promise<object> => {
  const operation = createAppLinkOperations(plane.pool, allowed, noDomains).find((one) => one.path === path);
  if (operation?.access !== 'public') throw new Error('no such operation');
  const { body } = await operation.handle({
    params: {},
    method: 'GET',
    search: '',
    query: undefined,
    body: undefined,
    header: () => '',
    address: () => '',
    clientAddress: () => '',
    gone: () => new AbortController().signal,
    proxyHeader: () => '',
    domain: () => '',
    domainOwner: () => '',
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

  test('iOS: each app has its own codes, except inactive ones and ones that ask for a password or a key', async () => {
    const first = await own.createCode(iosApp(appId));
    const second = await own.createCode(iosApp(appId));
    const other = await (await plane.workspace()).createCode(iosApp('ZZZZZ12345.org.example'));
    await own.createCode({ ...iosApp(appId), secure: ['password'], password: 'open sesame' });
    await own.createCode({ deepLinkConfig: { ios: { url: 'myapp://x' } } });
    const inactive = await own.createCode(iosApp(appId));
    await own.call('DELETE', `/api/qr/codes/${inactive.id}`);
    const allowed = { ...nothingAllowed, iosAppIds: [appId, 'ZZZZZ12345.org.example'] };
    expect(appleAppSiteAssociation.parse(await fresh(apple, allowed))).toEqual({
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

  test('an answer is cached for a minute; a failure is not', async () => {
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
    const [operation] = createAppLinkOperations(pool, nothingAllowed, noDomains, () => nowMs);
    if (operation?.access !== 'public') throw new Error('no such operation');
    const ask = () =>
      operation.handle({
        params: {},
        method: 'GET',
        search: '',
        query: undefined,
        body: undefined,
        header: () => '',
        address: () => '',
        clientAddress: () => '',
        gone: () => new AbortController().signal,
        proxyHeader: () => '',
        domain: () => '',
        domainOwner: () => '',
      });
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

describe('on the shared host, only the apps that the operator allows are listed', () => {
  const idsOf = (answer: object): string[] =>
    appleAppSiteAssociation
      .parse(answer)
      .applinks.details.flatMap(({ components }) =>
        components.map(({ '/': path }) => path.slice('/r/'.length)),
      );

  test('by default no app of any workspace', async () => {
    const tenant = await plane.workspace({ plan: 'free' });
    await tenant.createCode(iosApp('FREE512345.com.example.mine'));
    await tenant.createCode(androidApp('com.example.mine', 'EE'));
    const other = await startTestControlPlane({ databaseUrl: plane.databaseUrl });
    const call = other.callWith(undefined);
    expect((await call('GET', apple)).body).toEqual({ applinks: { details: [] } });
    expect((await call('GET', android)).body).toEqual([]);
    await other.close();
  });

  test('APP_LINKS_ALLOW: apps of any workspace, and all apps of some workspaces', async () => {
    const [trusted, free] = [await plane.workspace(), await plane.workspace({ plan: 'free' })];
    const shared = 'SHARE12345.com.example.shared';
    const codes = [
      await trusted.createCode(iosApp('TRUST12345.com.example.trusted')),
      await free.createCode(iosApp(shared)),
    ];
    await free.createCode(iosApp('FREE512345.com.example.mine'));
    await trusted.createCode(androidApp('com.example.trusted', 'A1'));
    await free.createCode(androidApp('com.example.shared', 'B2'));
    const other = await startTestControlPlane({
      databaseUrl: plane.databaseUrl,
      environment: {
        APP_LINKS_ALLOW: `${shared}, com.example.shared=${fingerprint('c3')},${trusted.workspaceId}`,
      },
    });
    const call = other.callWith(undefined);
    expect(idsOf((await call('GET', apple)).body as object).sort()).toEqual(codes.map(({ id }) => id).sort());
    const listed = androidAssetLinks.parse((await call('GET', android)).body);
    expect(listed.map(({ target }) => [target.package_name, target.sha256_cert_fingerprints])).toEqual([
      ['com.example.shared', [fingerprint('C3')]],
      ['com.example.trusted', [fingerprint('A1')]],
    ]);
    await other.close();
  });

  test('workspaces take turns, so that none pushes out the codes of others', async () => {
    const [few, many, one] = [await plane.workspace(), await plane.workspace(), await plane.workspace()];
    const app = 'TURNS12345.com.example.turns';
    const ids = async ({ createCode }: Workspace, count: number) => {
      const created = [];
      for (let n = 0; n < count; n++) created.unshift((await createCode(iosApp(app))).id);
      return created;
    };
    const [ofFew, ofOne, ofMany] = [await ids(few, 3), await ids(one, 1), await ids(many, 12)];
    const listed = async (limit: number, claims: { appIds: string[]; workspaceIds: string[] }) =>
      (await listIosLinks(plane.pool, claims, limit)).map(({ id }) => id);
    const byApp = { appIds: [app], workspaceIds: [] };
    const byWorkspace = {
      appIds: [],
      workspaceIds: [many.workspaceId, few.workspaceId, one.workspaceId],
    };
    const both = { appIds: [app], workspaceIds: [many.workspaceId] };
    for (const claims of [byApp, byWorkspace, both]) {
      expect(await listed(8, claims)).toEqual([
        ...[ofMany[0], ofOne[0], ofFew[0]],
        ...[ofMany[1], ofFew[1]],
        ...[ofMany[2], ofFew[2]],
        ofMany[3],
      ]);
      expect((await listed(100, claims)).length).toBe(16);
    }
  });
});
