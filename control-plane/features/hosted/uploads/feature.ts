/** Pictures that owners upload for their pages. */
import { createSparseLog } from '#shared/sparse-log.ts';
import { type Feature, oncePerProcess } from '../../../framework/feature.ts';
import type { Services } from '../../../framework/services.ts';
import { refusals } from '../../../platform/fair-queue/fair-gate.ts';
import { createImageEncoder, type ImageEncoder, imageEnds } from './encoding/image-encoder.ts';
import { createFindImages, lookupFailures } from './find-images.ts';
import { createImageIds } from './image-ids.ts';
import { nightlyJob } from './removal/nightly.ts';
import { createHeldFiles, type HeldFiles } from './serving/held-files.ts';
import { createImageOperation } from './serving/operation.ts';
import { createUploadImage } from './upload/upload-image.ts';

const idsOf = oncePerProcess(({ keyFor }) => createImageIds(keyFor('image-id')));

/** The processes that decode pictures. */
export const imageEncoderOf = oncePerProcess(({ metrics, onClose }): ImageEncoder => {
  const encoder = createImageEncoder({
    onEnded: metrics.counter(
      'images_total',
      'Uploaded images, by how the work on them ended',
      'how',
      imageEnds,
    ),
    onRefused: metrics.counter(
      'images_refused_total',
      'Uploaded images that were turned away',
      'why',
      refusals,
    ),
  });
  metrics.gauge('images_running', 'Uploaded images that are being encoded', () => encoder.load().running);
  metrics.gauge('images_waiting', 'Uploaded images that wait to be encoded', () => encoder.load().waiting);
  onClose(() => encoder.close());
  return encoder;
});

/** Accepts uploads for the kinds of pages that have them. */
export const uploadImageOf = oncePerProcess((services) => {
  const { config, pool, storage } = services;
  return createUploadImage({
    pool,
    storage,
    encoder: imageEncoderOf(services),
    ids: idsOf(services),
    qrHost: config.qrHost,
  });
});

/** Finds the images of a page for its document. */
export const findImagesOf = oncePerProcess(({ config, pool, logger, metrics }) => {
  const warn = createSparseLog((fields, message) => logger.warn(fields, message));
  const count = metrics.counter(
    'image_lookups_failed_total',
    'Looks for the uploaded images of a page that failed',
    'why',
    lookupFailures,
  );
  return createFindImages({
    pool,
    origins: [config.qrHost, config.baseUrl],
    onFailed(why, error) {
      count(why);
      warn(why, { err: error }, 'could not look up the images of a page: they are shown as they are');
    },
  });
});

const openFiles = (services: Services): HeldFiles => {
  const { storage, metrics } = services;
  const files = createHeldFiles({
    storage,
    ids: idsOf(services),
    onRefused: metrics.counter(
      'image_reads_refused_total',
      'Uploaded images that were not read from the storage',
      'why',
      refusals,
    ),
  });
  metrics.gauge('images_held', 'Files of uploaded images in memory', () => files.statistics().files);
  metrics.gauge('images_held_bytes', 'Their bytes', () => files.statistics().bytes);
  return files;
};

export const uploads: Feature = {
  name: 'uploads',
  tables: ['uploaded_images'],
  keyPurposes: ['image-id'],
  open: (services) => ({
    operations: [createImageOperation(openFiles(services))],
    tasks: [nightlyJob(services)],
  }),
};
