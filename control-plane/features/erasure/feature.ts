/** Erasures: of a code with everything that is known of it, or of its scans. */
import { createClickHouse } from '#shared/clickhouse.ts';
import { createTextCursors } from '../../api/http/cursors.ts';
import type { Feature } from '../../framework/feature.ts';
import { codePublishingOf } from '../codes/feature.ts';
import { createErasureKind } from './kind.ts';
import { lateScanTasks } from './late-scans.ts';
import { advanceRound } from './rounds/rounds.ts';
import { createErasureOperations } from './routes.ts';
import { erasureIds } from './store.ts';

/** A statement of a round: two million scans are staged in some seconds. */
const statementMsMax = 120_000;

export const erasure: Feature = {
  name: 'erasure',
  tables: ['erasures', 'erasure_round'],
  ids: [erasureIds],
  keyPurposes: ['erasure cursor'],
  open(services) {
    const { config, pool, connections, outbox, logger, keyFor, onClose } = services;
    const clickhouse = createClickHouse(config.clickhouseUrl, 'waymark-erasure', statementMsMax);
    onClose(() => clickhouse.close());
    const parts = { pool: connections.jobs, clickhouse, serverDays: config.scanRetentionDays };
    return {
      operations: createErasureOperations({
        pool,
        outbox,
        publishing: codePublishingOf(services),
        cursors: createTextCursors(keyFor('erasure cursor')),
        locationOf: (id) => `${config.baseUrl}/api/qr/erasures/${id}`,
      }),
      jobKinds: [createErasureKind({ pool: connections.jobs, advance: () => advanceRound(parts) })],
      tasks: lateScanTasks({ ...parts, logger }),
    };
  },
};
