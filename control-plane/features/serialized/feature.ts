/** Serialized codes: batches of items that are minted, printed once, and verified by scanning. */

import type { Logger } from '#shared/logger.ts';
import { createSerialKeys } from '#shared/serial-keys.ts';
import { createSerialSignatures, type SerialSignatures } from '#shared/serial-signatures.ts';
import { createCursors } from '../../api/http/cursors.ts';
import { type Feature, oncePerProcess } from '../../framework/feature.ts';
import type { Queryable } from '../../platform/db/pool.ts';
import { documentKindsOf, documentPublishingOf } from '../../publishing/feature.ts';
import { imageEncoderOf } from '../hosted/uploads/feature.ts';
import { batchDocumentSource } from './batch-documents.ts';
import { createBatchChanger } from './change-batch.ts';
import { createItemUrls } from './items/item-urls.ts';
import { createMintKind, mintSliceEnds } from './mint/kind.ts';
import { createMint } from './mint/submission.ts';
import { createMakeProductImage } from './product-image.ts';
import { createSerializedOperations, jobUrl } from './routes.ts';
import { batchIds, listGenerations } from './store/batches.ts';
import { mintJobIds } from './store/jobs.ts';
import { serializedVerbs } from './verbs.ts';

/** Logs which keys of batches this process lacks: their items can be neither printed nor verified. */
const reportMissingKeys = async (
  db: Queryable,
  signatures: Pick<SerialSignatures, 'knows'>,
  logger: Logger,
): Promise<void> => {
  const generations = (await listGenerations(db)).filter((generation) => !signatures.knows(generation));
  if (generations.length === 0) return;
  logger.error(
    { generations },
    `SERIAL_KEYS must have the keys of the generations ${generations.join(', ')}: serialized batches are signed with them, and their items cannot be verified`,
  );
};

/** Signs with the latest key, and knows all configured keys. */
export const serialSignaturesOf = oncePerProcess(({ config }) =>
  createSerialSignatures(createSerialKeys(config)),
);

/** The printed URLs of items. */
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
    const { config, pool, logger, metrics, keyFor } = services;
    const signatures = serialSignaturesOf(services);
    const { generation, createItemId } = signatures;
    await reportMissingKeys(pool, signatures, logger);
    const publishing = documentPublishingOf(services);
    const makeProductImage = createMakeProductImage(imageEncoderOf(services));
    documentKindsOf(services).add(batchDocumentSource);
    const onItems = metrics.counter(
      'serialized_items_total',
      'Serialized items, by what became of them',
      'end',
      mintSliceEnds,
    );
    return {
      operations: createSerializedOperations({
        pool,
        cursors: createCursors(keyFor('item cursor')),
        urls: itemUrlsOf(services),
        mint: createMint({ generation, publishing, makeProductImage, locationOf: jobUrl(config.baseUrl) }),
        changeBatch: createBatchChanger({ pool, publishing, makeProductImage }),
      }),
      jobKinds: [createMintKind({ createItemId, onItems })],
    };
  },
};
