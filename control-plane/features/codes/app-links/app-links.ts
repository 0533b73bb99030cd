/**
 * The files that iOS and Android fetch before they open a link in an app: they list the apps that may open the codes of
 * this host.
 *
 * For iOS each app has its own codes, by their paths: one tenant's app must not take another's scans. On Android an app
 * names its own paths, and the file only says whether it may have any: a listed app may take all scans. So on a host
 * that workspaces share, the file lists only the apps that the operator allows. On a workspace's domain it lists the
 * apps of its own codes.
 */
import { LRUCache } from 'lru-cache';
import type { AndroidAssetLinks, AppleAppSiteAssociation } from '#schemas/api/app-links.ts';
import type { AppLinksAllowed } from '#shared/config/app-links-allow.ts';
import type { ServedDomains } from '../../../api/access/served-domains.ts';
import { type Operation, publicOperation } from '../../../api/http/operation.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import { listAndroidApps, listIosLinks } from './app-claims.ts';
import { androidLinksDocs, appleLinksDocs } from './docs.ts';

/** How old an answer may be. Apple and Google cache theirs for hours. */
const cachedMs = 60_000;
/** QR_HOST, and domains of workspaces. */
const hostsMax = 1_000;
/** Apple reads at most 128 KB, at 60 bytes per code; these are the newest codes. */
const iosCodesMax = 2_000;
const androidCodesMax = 10_000;

/**
 * Caches the values of `load` by host; concurrent callers wait for the same one. A failure is not cached.
 * @param load the value of a host: the domain of a workspace, or an empty text for QR_HOST
 */
const cached = <Value>(
  load: (domain: string) => Promise<Value>,
  now: () => number,
): ((domain: string) => Promise<Value>) => {
  const loadedOf = new LRUCache<string, { value: Promise<Value>; atMs: number }>({ max: hostsMax });
  return (domain) => {
    const loaded = loadedOf.get(domain);
    if (loaded && now() - loaded.atMs < cachedMs) return loaded.value;
    const value = load(domain);
    const loading = { value, atMs: now() };
    loadedOf.set(domain, loading);
    value.catch(() => {
      if (loadedOf.peek(domain) === loading) loadedOf.delete(domain);
    });
    return value;
  };
};

/** @param paths prefixes of the code ids on the host */
const loadAppleLinks = async (
  pool: Pool,
  { iosAppIds, workspaceIds }: AppLinksAllowed,
  paths: readonly string[],
): Promise<AppleAppSiteAssociation> => {
  const codesMax = Math.floor(iosCodesMax / paths.length);
  const links = await listIosLinks(pool, { appIds: iosAppIds, workspaceIds }, codesMax);
  const details = [...Map.groupBy(links, ({ appId }) => appId)].map(([appId, codes]) => ({
    appIDs: [appId],
    components: codes.flatMap(({ id }) => paths.map((path) => ({ '/': `${path}${id}` }))),
  }));
  return { applinks: { details } };
};

/** The apps named by the operator and by codes of the allowed workspaces, each once, by name. */
const loadAndroidLinks = async (
  pool: Pool,
  { androidApps, workspaceIds }: AppLinksAllowed,
): Promise<AndroidAssetLinks> => {
  const claimed = await listAndroidApps(pool, workspaceIds, androidCodesMax);
  const pairs = [
    ...androidApps.map(({ package: name, sha256CertFingerprint }) => ({ name, sha256CertFingerprint })),
    ...claimed.flatMap(({ package: name, sha256CertFingerprints }) =>
      sha256CertFingerprints.map((sha256CertFingerprint) => ({ name, sha256CertFingerprint })),
    ),
  ];
  return [...Map.groupBy(pairs, ({ name }) => name)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, certificates]) => ({
      relation: ['delegate_permission/common.handle_all_urls'],
      target: {
        namespace: 'android_app',
        package_name: name,
        sha256_cert_fingerprints: [
          ...new Set(certificates.map(({ sha256CertFingerprint }) => sha256CertFingerprint)),
        ].sort(),
      },
    }));
};

const headers = { 'cache-control': 'public, max-age=300', 'content-type': 'application/json' };

/** What a host lists. */
interface Host {
  allowed: AppLinksAllowed;
  /** Prefixes of the code ids. */
  paths: readonly string[];
}

const nobody: AppLinksAllowed = { iosAppIds: [], androidApps: [], workspaceIds: [] };

/** On a workspace's domain, only that workspace is allowed. */
const createHosts =
  (allowed: AppLinksAllowed, servedDomains: ServedDomains) =>
  async (domain: string): Promise<Host> => {
    if (domain === '') return { allowed, paths: ['/r/'] };
    const served = await servedDomains.of(domain);
    if (!served) return { allowed: nobody, paths: ['/r/'] };
    const { workspaceId, path } = served;
    return { allowed: { ...nobody, workspaceIds: [workspaceId] }, paths: [...new Set([path, '/r/'])] };
  };

/**
 * They need no key: phones fetch them, from the redirector's origin.
 * @param allowed for the host that workspaces share
 */
export const createAppLinkOperations = (
  pool: Pool,
  allowed: AppLinksAllowed,
  servedDomains: ServedDomains,
  now: () => number = Date.now,
): Operation[] => {
  const hostOf = createHosts(allowed, servedDomains);
  const appleLinks = cached(async (domain) => {
    const host = await hostOf(domain);
    return loadAppleLinks(pool, host.allowed, host.paths);
  }, now);
  const androidLinks = cached(async (domain) => loadAndroidLinks(pool, (await hostOf(domain)).allowed), now);
  return [
    publicOperation({
      access: 'public',
      method: 'get',
      path: '/.well-known/apple-app-site-association',
      docs: appleLinksDocs,
      handle: async ({ domain }) => ({ headers, body: await appleLinks(domain()) }),
    }),
    publicOperation({
      access: 'public',
      method: 'get',
      path: '/.well-known/assetlinks.json',
      docs: androidLinksDocs,
      handle: async ({ domain }) => ({ headers, body: await androidLinks(domain()) }),
    }),
  ];
};
