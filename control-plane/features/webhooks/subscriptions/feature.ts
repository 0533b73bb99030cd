/** The API of webhooks: subscriptions, the log of deliveries, replays; and the removal of expired data. */

import { createTextCursors } from '../../../api/http/cursors.ts';
import type { Feature } from '../../../framework/feature.ts';
import { isPublicAddress } from '../../../platform/outgoing/safe-fetch.ts';
import { documentPublishingOf } from '../../../publishing/feature.ts';
import { createFeedOperations } from '../feed/operations.ts';
import { createLogOperations } from '../log/operations.ts';
import { createSealedSecrets, secretKeyPurpose } from '../queue/secrets.ts';
import { createReplayKind } from '../replays/kind.ts';
import { createReplayOperations } from '../replays/operations.ts';
import { replayIds } from '../replays/store.ts';
import { retentionJob } from '../retention/job.ts';
import { createChangeWebhooks } from './change.ts';
import { createWebhookOperations } from './operations.ts';
import { webhookIds } from './store.ts';

export const webhookSubscriptions: Feature = {
  name: 'subscriptions',
  tables: ['webhook_replays'],
  ids: [webhookIds, replayIds],
  keyPurposes: ['webhook cursor', 'event feed cursor'],
  open(services) {
    const { pool, config, keyFor } = services;
    const cursors = createTextCursors(keyFor('webhook cursor'));
    return {
      operations: [
        ...createWebhookOperations({
          pool,
          secrets: createSealedSecrets(keyFor(secretKeyPurpose)),
          isAllowedAddress: config.webhookAllowPrivate ? () => true : isPublicAddress,
          change: createChangeWebhooks(pool, documentPublishingOf(services)),
        }),
        ...createLogOperations({ pool, cursors }),
        ...createReplayOperations(pool, cursors),
        ...createFeedOperations(pool, createTextCursors(keyFor('event feed cursor'))),
      ],
      jobKinds: [createReplayKind()],
      tasks: [retentionJob(services)],
    };
  },
};
