/** Dynamic codes: their operations, publishing to redirectors, and password checks. */
import { createCodeIds, isCodeIdShaped } from '#shared/ids.ts';
import { createCursors, createTextCursors } from '../../api/http/cursors.ts';
import { type Feature, oncePerProcess } from '../../framework/feature.ts';
import type { Services } from '../../framework/services.ts';
import {
  documentPublishingOf,
  publishedKindsOf,
  publisherOf,
  publishingOf,
} from '../../publishing/feature.ts';
import { createLookup } from '../../publishing/lookup.ts';
import { refusals } from '../../rendering/index.ts';
import { brandKitsOf } from '../brand-kits/feature.ts';
import { requireFolder } from '../folders/store.ts';
import { picturesOf } from '../pictures/feature.ts';
import { screeningOf } from '../screening/feature.ts';
import { tagIdsOf } from '../tags/store.ts';
import { aliasClaimsOf } from './aliases/feature.ts';
import { scanCountsOf } from './analytics/shared-scan-counts.ts';
import { createCodeCreation } from './create-code.ts';
import { createReadCap } from './explain/cap-state.ts';
import { exportVerbs } from './export/verbs.ts';
import { copyScansTask } from './lists/copy-scans.ts';
import { forgetFacetsTask } from './lists/forget-facets.ts';
import { listTurnsOf } from './lists/turns.ts';
import { createPasswordAttempts } from './protection/password-attempts.ts';
import { createPasswordRouter } from './protection/password-route.ts';
import { createPasswords, passwordWork } from './protection/passwords.ts';
import { createSeal } from './protection/seal.ts';
import { createCodeKind, createCodePublishing, publishingConsumer } from './publishing.ts';
import { createCodeOperations } from './routes.ts';
import { isExternal, resolveExternal } from './store/external-ids.ts';
import { findCodeVersions } from './store/find.ts';
import { findLinkBase } from './store/link-base.ts';
import { codeVerbs } from './verbs.ts';

/** As many ids as a request line has room for. A redirector asks once in an iteration of its event loop for all ids that it misses. */
const lookedUpMax = 1_000;

const kindOf = oncePerProcess((services) => {
  const kind = createCodeKind(services.pool);
  publishedKindsOf(services).add(kind);
  return kind;
});

export const codePublishingOf = oncePerProcess((services) =>
  createCodePublishing(publishingOf(services), kindOf(services)),
);

const passwordsOf = oncePerProcess(({ metrics }) =>
  createPasswords({
    onStarted: metrics.counter('passwords_total', 'Passwords, by what is done', 'what', passwordWork),
    onRefused: metrics.counter(
      'passwords_refused_total',
      'Passwords that were not hashed or checked',
      'why',
      refusals,
    ),
  }),
);

const sealOf = oncePerProcess(({ metrics }) =>
  createSeal({
    onRefused: metrics.counter('seals_refused_total', 'Payloads that were not sealed', 'why', refusals),
  }),
);

/** The parts shared by creating one code and creating many. */
export const codePartsOf = oncePerProcess((services) => ({
  ids: createCodeIds(services.keyFor('code-id')),
  passwords: passwordsOf(services),
  seal: sealOf(services),
  kits: brandKitsOf(services),
  labels: {
    tagIds: (workspaceId: string, names: readonly string[], dryRun: boolean) =>
      tagIdsOf(services.pool, workspaceId, names, dryRun),
    requireFolder: (workspaceId: string, folderId: string) =>
      requireFolder(services.pool, workspaceId, folderId),
  },
  publishing: codePublishingOf(services),
  pool: services.pool,
  claims: aliasClaimsOf(services),
  documentPublishing: documentPublishingOf(services),
  linkBaseOf: (workspaceId: string) => findLinkBase(services.pool, workspaceId),
}));

/** Creates dynamic codes, for all operations that do. */
export const codeCreationOf = oncePerProcess((services) =>
  createCodeCreation({
    ...codePartsOf(services),
    prove: picturesOf(services).prove,
    outbox: services.outbox,
    baseUrl: services.config.baseUrl,
    qrHost: services.config.qrHost,
  }),
);

const readCapOf = oncePerProcess((services) => createReadCap(services.redis, scanCountsOf(services)));

const operationsOf = (services: Services) => {
  const { config, pool, clickhouse, outbox } = services;
  const scanCounts = scanCountsOf(services);
  return createCodeOperations({
    pool,
    clickhouse,
    outbox,
    publishing: codePublishingOf(services),
    scanCounts,
    readCap: readCapOf(services),
    listCursors: createTextCursors(services.keyFor('cursor')),
    inTurn: listTurnsOf(services),
    historyCursors: createCursors(services.keyFor('history cursor')),
    passwords: passwordsOf(services),
    kits: brandKitsOf(services),
    labels: codePartsOf(services).labels,
    prove: picturesOf(services).prove,
    createDynamicCode: codeCreationOf(services),
    requireAllowed: screeningOf(services).requireAllowed,
    qrHost: config.qrHost,
    activateUrl: (id) => `${config.baseUrl}/api/qr/codes/${id}/activate`,
  });
};

const internalRoutesOf = (services: Services) => {
  const { pool, redis, background, ipLimiter, internalToken } = services;
  return [
    createLookup({
      path: '/internal/codes',
      idsMax: lookedUpMax,
      kinds: [kindOf(services)],
      // No code has an id of another form; the database refuses some of them as text.
      versionsOf: (ids) =>
        findCodeVersions(
          pool,
          ids.map((id) => (isCodeIdShaped(id) ? id : '')),
        ),
      publisher: publisherOf(services),
      background,
      internalToken,
    }),
    createPasswordRouter({
      pool,
      passwords: passwordsOf(services),
      attempts: createPasswordAttempts(redis),
      ipLimiter,
      internalToken,
    }),
  ];
};

export const codes: Feature = {
  name: 'codes',
  tables: [
    'codes',
    'code_counts',
    'code_facets',
    'code_scans',
    'code_scans_progress',
    'code_versions',
    'code_version_logos',
    'erased_codes',
  ],
  keyPurposes: ['code-id', 'cursor', 'history cursor'],
  events: ['qr.created', 'qr.updated', 'qr.deleted', 'qr.suspended', 'qr.suspension_lifted'],
  consumers: [publishingConsumer],
  verbs: { ...codeVerbs, ...exportVerbs },
  open: (services) => ({
    operations: operationsOf(services),
    pathIds: [
      {
        under: '/api/qr/codes/:id',
        isName: isExternal,
        resolve: (workspaceId, name) => resolveExternal(services.pool, workspaceId, name),
      },
    ],
    internalRoutes: internalRoutesOf(services),
    tasks: [copyScansTask(services, readCapOf(services)), forgetFacetsTask(services.connections.jobs)],
  }),
};
