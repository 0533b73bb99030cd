/** GET and HEAD of uploaded images, for everyone. */
import { ClientError } from '#shared/errors.ts';
import { type Operation, publicOperation } from '../../../../api/http/operation.ts';
import { type KeptFormat, keptFileOf } from '../addresses.ts';
import { imageDocs } from '../docs.ts';
import type { HeldFiles } from './held-files.ts';

const contentTypes: Readonly<Record<KeptFormat, string>> = {
  avif: 'image/avif',
  webp: 'image/webp',
  jpg: 'image/jpeg',
};

/** The bytes at a URL never change. Every page may embed them; opened directly, the document may do nothing. */
const headers = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
};

const notFound = () => new ClientError('NOT_FOUND', 'There is no picture at this path');

/**
 * Without a limit per address: a menu shows a hundred pictures at once, and all guests of a restaurant may share an
 * address, so any limit that is harmless is too high to protect anything. The protection is elsewhere: a picture in
 * memory costs less than counting it, each phone caches its pictures, reads of the storage are bounded and fair to
 * addresses, and invented ids do not reach it.
 */
export const createImageOperation = (files: Pick<HeldFiles, 'find'>): Operation =>
  publicOperation({
    method: 'get',
    path: '/i/:id/:name',
    access: 'public',
    docs: imageDocs,
    async handle({ params: { id = '', name = '' }, address }) {
      const file = keptFileOf(id, name);
      const found = file && (await files.find(file, address()));
      if (!file || !found) throw notFound();
      const { bytes, etag } = found;
      return {
        headers: { ...headers, 'content-type': contentTypes[file.format] },
        file: {
          size: bytes.length,
          etag,
          read: async (range) => (range ? bytes.subarray(range.first, range.last + 1) : bytes),
        },
      };
    },
  });
