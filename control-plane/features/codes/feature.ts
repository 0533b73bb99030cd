/** Dynamic codes: their operations, publishing to redirectors, and password checks. */
import { createCodeIds } from '#shared/ids.ts';
import { type Feature, oncePerProcess } from '../../feature.ts';
import { createCursors } from '../../http/cursors.ts';
import { refusals } from '../../rendering/index.ts';
import type { Services } from '../../services.ts';
import { brandKitsOf } from '../brand-kits/feature.ts';
import { picturesOf } from '../images/feature.ts';
import { scanCountsOf } from './analytics/shared-scan-counts.ts';
import { createCodeCreation } from './create-code.ts';
import { createReadCap } from './explain/cap-state.ts';
import { exportVerbs } from './export/verbs.ts';
import { createUnlockAttempts } from './protection/attempts.ts';
import { createPasswords, passwordWork } from './protection/passwords.ts';
import { createSeal } from './protection/seal.ts';
import { createUnlockRouter } from './protection/unlock.ts';
import { publishingConsumer } from './publishing/consumer.ts';
import { createPublishing, type Publishing } from './publishing/publishing.ts';
import { createLookupRouter } from './publishing/record-lookup.ts';
import { createRecordPublisher } from './publishing/records.ts';
import { publishingVerbs } from './publishing/verbs.ts';
import { createCodeOperations } from './routes.ts';
import { findLinkBase } from './store/link-base.ts';
import { codeVerbs } from './verbs.ts';

const publisherOf = oncePerProcess(({ redis }) => createRecordPublisher(redis));

const publishingOf = oncePerProcess((services): Publishing => {
  const { pool, redis, background, metrics, logger, onClose } = services;
  const publishing = createPublishing({ pool, redis, publisher: publisherOf(services), background, logger });
  onClose(() => publishing.close());
  const { statistics } = publishing;
  metrics.gauge('outbox_waiting', 'Changes that wait to be published', () => statistics.waiting);
  metrics.gauge('outbox_set_aside', 'Changes that cannot be published', () => statistics.setAside);
  metrics.gauge(
    'records_rewritten',
    'Records that Redis had lost since it took them',
    () => statistics.rewritten,
  );
  metrics.gauge('record_timeline', 'The timeline that the database is on', () => statistics.timeline);
  return publishing;
});

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
  publishing: publishingOf(services),
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

const operationsOf = (services: Services) => {
  const { config, pool, clickhouse, outbox, redis } = services;
  const scanCounts = scanCountsOf(services);
  return createCodeOperations({
    pool,
    clickhouse,
    outbox,
    publishing: publishingOf(services),
    scanCounts,
    readCap: createReadCap(redis, scanCounts),
    cursors: createCursors(services.keyFor('cursor')),
    passwords: passwordsOf(services),
    kits: brandKitsOf(services),
    prove: picturesOf(services).prove,
    createDynamicCode: codeCreationOf(services),
    qrHost: config.qrHost,
    activateUrl: (id) => `${config.baseUrl}/api/qr/codes/${id}/activate`,
  });
};

const internalRoutesOf = (services: Services) => {
  const { pool, redis, background, ipLimiter, internalToken } = services;
  return [
    createLookupRouter({ pool, publisher: publisherOf(services), background, internalToken }),
    createUnlockRouter({
      pool,
      passwords: passwordsOf(services),
      attempts: createUnlockAttempts(redis),
      ipLimiter,
      internalToken,
    }),
  ];
};

export const codes: Feature = {
  name: 'codes',
  tables: ['codes', 'code_counts', 'unpublished_codes', 'record_timeline'],
  keyPurposes: ['code-id', 'cursor'],
  events: ['qr.created', 'qr.updated', 'qr.deleted'],
  consumers: [publishingConsumer],
  verbs: { ...codeVerbs, ...publishingVerbs, ...exportVerbs },
  open: (services) => ({
    operations: operationsOf(services),
    internalRoutes: internalRoutesOf(services),
  }),
};
