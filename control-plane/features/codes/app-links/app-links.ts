/**
 * The files that iOS and Android fetch before they open a link in an app: they list the apps that may open the codes of this
 * host.
 *
 * For iOS each app has its own codes, by their paths: one tenant's app must not take another's scans. On Android an app names
 * its paths itself, and the file says only whether it may have any: an app that is listed may take the scans of everybody.
 * Hence on a host that workspaces share, the file lists only the apps that the operator allows.
 */
import type { AndroidAssetLinks, AppleAppSiteAssociation } from '#schemas/api/app-links.ts';
import type { AppLinksAllowed } from '#shared/config/app-links-allow.ts';
import type { Pool } from '../../../db/pool.ts';
import { type Operation, publicOperation } from '../../../http/operation.ts';
import { listAndroidApps, listIosLinks } from './app-claims.ts';
import { androidLinksDocs, appleLinksDocs } from './docs.ts';

/** How old an answer may be. Apple and Google keep theirs for hours. */
const cachedMs = 60_000;
/** Apple reads 128 KB at most: with 60 bytes for a code, the newest of them. */
const iosCodesMax = 2_000;
const androidCodesMax = 10_000;

/** Remembers the value of `load`; callers that come meanwhile wait for the same one. A failure is not remembered. */
const cached = <Value>(load: () => Promise<Value>, now: () => number): (() => Promise<Value>) => {
  let loaded: { value: Promise<Value>; atMs: number } | undefined;
  return () => {
    if (loaded && now() - loaded.atMs < cachedMs) return loaded.value;
    const value = load();
    const loading = { value, atMs: now() };
    loaded = loading;
    value.catch(() => {
      if (loaded === loading) loaded = undefined;
    });
    return value;
  };
};

const loadAppleLinks = async (
  pool: Pool,
  { iosAppIds, workspaceIds }: AppLinksAllowed,
): Promise<AppleAppSiteAssociation> => {
  const links = await listIosLinks(pool, { appIds: iosAppIds, workspaceIds }, iosCodesMax);
  const details = [...Map.groupBy(links, ({ appId }) => appId)].map(([appId, codes]) => ({
    appIDs: [appId],
    components: codes.map(({ id }) => ({ '/': `/r/${id}` })),
  }));
  return { applinks: { details } };
};

/** The apps that the operator names, and those that codes of the allowed workspaces name; each once, by name. */
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

/**
 * They need no key: phones fetch them, from the redirector's origin.
 * @param allowed for the host that workspaces share; a host of one workspace would allow that workspace
 */
export const createAppLinkOperations = (
  pool: Pool,
  allowed: AppLinksAllowed,
  now: () => number = Date.now,
): Operation[] => {
  const appleLinks = cached(() => loadAppleLinks(pool, allowed), now);
  const androidLinks = cached(() => loadAndroidLinks(pool, allowed), now);
  return [
    publicOperation({
      access: 'public',
      method: 'get',
      path: '/.well-known/apple-app-site-association',
      docs: appleLinksDocs,
      handle: async () => ({ headers, body: await appleLinks() }),
    }),
    publicOperation({
      access: 'public',
      method: 'get',
      path: '/.well-known/assetlinks.json',
      docs: androidLinksDocs,
      handle: async () => ({ headers, body: await androidLinks() }),
    }),
  ];
};
