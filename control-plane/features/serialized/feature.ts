/** Serialized codes: batches of items that are minted, printed once, and verified by whoever scans them. */
import { createSerialKeys } from '#shared/serial-keys.ts';
import { createSerialSignatures } from '#shared/serial-signatures.ts';
import { type Feature, oncePerProcess } from '../../feature.ts';
import { createCursors } from '../../http/cursors.ts';
import { documentKindsOf, documentPublishingOf } from '../documents/feature.ts';
import { batchDocumentSource } from './batch-documents.ts';
import { createItemUrls } from './items/item-urls.ts';
import { createMint } from './mint/creation.ts';
import { startMinting } from './mint/start.ts';
import { reportMissingKeys } from './missing-keys.ts';
import { createBatchChanger } from './notice.ts';
import { createSerializedOperations, jobUrl } from './routes.ts';
import { batchIds } from './store/batches.ts';
import { mintJobIds } from './store/jobs.ts';
import { serializedVerbs } from './verbs.ts';

/** Signs with the latest key, and knows all that are configured. */
export const serialSignaturesOf = oncePerProcess(({ config }) =>
  createSerialSignatures(createSerialKeys(config)),
);

/** What is printed of items. */
export const itemUrlsOf = oncePerProcess((services) =>
  createItemUrls(serialSignaturesOf(services), services.config.qrHost),
);

export const serialized: Feature = {
  name: 'serialized',
  tables: ['serialized_quotas', 'serialized_batches', 'serialized_items', 'serialized_jobs'],
  ids: [batchIds, mintJobIds],
  keyPurposes: ['item cursor'],
  verbs: serializedVerbs,
  async open(services) {
    const { config, pool, logger, keyFor } = services;
    const signatures = serialSignaturesOf(services);
    const { generation, createItemId } = signatures;
    await reportMissingKeys(pool, signatures, logger);
    const publishing = documentPublishingOf(services);
    documentKindsOf(services).add(batchDocumentSource);
    return {
      operations: createSerializedOperations({
        pool,
        cursors: createCursors(keyFor('item cursor')),
        urls: itemUrlsOf(services),
        mint: createMint({ generation, publishing, locationOf: jobUrl(config.baseUrl) }),
        changeBatch: createBatchChanger({ pool, publishing }),
      }),
      jobs: await startMinting(services, createItemId),
    };
  },
};
