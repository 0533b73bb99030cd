/**
 * Which apps may open the codes of this host: what iOS and Android ask for before they open a link in an app.
 *
 * For iOS each app is given its own codes, by their paths: one tenant's app must not take another's scans. A code that
 * asks for a password or a key first stays in the browser. Android lets an app name its paths itself and asks only
 * whether it may have any, so that there the apps alone are listed.
 */
import type { AndroidAssetLinks, AppleAppSiteAssociation } from '#schemas/api/app-links.ts';
import type { Pool } from '../../db/pool.ts';
import { type Operation, publicOperation } from '../../http/operation.ts';
import { androidLinksDocs, appleLinksDocs } from './docs.ts';
import { listAndroidApps, listIosLinks } from './store.ts';

/** How old an answer may be. Apple and Google keep theirs for hours. */
const cachedMs = 60_000;
/** Apple reads 128 KB at most: with 60 bytes for a code, the newest of them. */
const iosCodesMax = 2_000;
const androidCodesMax = 10_000;

/** Remembers what `load` gave; whoever asks meanwhile waits for the same. A failure is not remembered. */
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

const loadAppleLinks = async (pool: Pool): Promise<AppleAppSiteAssociation> => {
  const links = await listIosLinks(pool, iosCodesMax);
  const details = [...Map.groupBy(links, ({ appId }) => appId)].map(([appId, codes]) => ({
    appIDs: [appId],
    components: codes.map(({ id }) => ({ '/': `/r/${id}` })),
  }));
  return { applinks: { details } };
};

const loadAndroidLinks = async (pool: Pool): Promise<AndroidAssetLinks> => {
  const apps = await listAndroidApps(pool, androidCodesMax);
  return apps.map(({ package: name, sha256CertFingerprints }) => ({
    relation: ['delegate_permission/common.handle_all_urls'],
    target: {
      namespace: 'android_app',
      package_name: name,
      sha256_cert_fingerprints: sha256CertFingerprints,
    },
  }));
};

const headers = { 'cache-control': 'public, max-age=300', 'content-type': 'application/json' };

/** Without a key: phones ask, by way of the redirector's origin. */
export const createAppLinkOperations = (pool: Pool, now: () => number = Date.now): Operation[] => {
  const appleLinks = cached(() => loadAppleLinks(pool), now);
  const androidLinks = cached(() => loadAndroidLinks(pool), now);
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
