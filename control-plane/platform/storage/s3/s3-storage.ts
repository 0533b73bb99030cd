/** Storage in a bucket of Amazon S3, or of a service that speaks its protocol. */
import { S3mini } from 's3mini';
import type { S3StorageSettings } from '#shared/config/storage-url.ts';
import { checkKey, checkPrefix, isKey, type ListedFile, type Storage, StorageFailure } from '../storage.ts';
import { download } from './download.ts';
import { asked } from './failures.ts';
import { createTransport, type RequestTimes } from './transport.ts';
import { upload } from './upload.ts';

/** A service lists at most this many at once. */
const listedMax = 1_000;

/** Connects to nothing before it is used. */
export const createS3Storage = (settings: S3StorageSettings, times?: RequestTimes): Storage => {
  const { origin, bucket, prefix, region, accessKeyId, secretAccessKey } = settings;
  const transport = createTransport(times);
  const endpoint = `${origin}/${bucket}`;
  const s3 = new S3mini({ accessKeyId, secretAccessKey, endpoint, region, fetch: transport.fetch });

  const noBucket = `there is no bucket ${bucket} that this access key may list`;

  const nameOf = (key: string): string => {
    checkKey(key);
    return prefix + key;
  };

  async function* list(of?: string): AsyncGenerator<ListedFile> {
    if (of !== undefined) checkPrefix(of);
    let token: string | undefined;
    do {
      const page = await asked(s3.listObjectsPaged('/', prefix + (of ?? ''), listedMax, token));
      if (!page?.objects) throw new StorageFailure('refused', noBucket);
      for (const { Key, LastModified } of page.objects) {
        const key = Key.slice(prefix.length);
        if (isKey(key)) yield { key, storedAt: LastModified };
      }
      token = page.nextContinuationToken;
    } while (token !== undefined);
  }

  return {
    put: (key, source) => upload(s3, nameOf(key), source),
    async get(key) {
      const name = nameOf(key);
      const etag = await asked(s3.getEtag(name));
      if (etag === null) return undefined;
      const size = await asked(s3.getContentLength(name));
      return { size, etag: `"${etag}"`, read: (range) => download(s3, name, { etag, size }, range) };
    },
    async remove(key) {
      await asked(s3.deleteObject(nameOf(key)));
    },
    list,
    // A rule of the bucket removes the parts of interrupted uploads: listing them costs a request per upload.
    async sweep() {},
    async check() {
      if (!(await asked(s3.bucketExists()))) throw new StorageFailure('refused', noBucket);
    },
    close: transport.close,
  };
};
