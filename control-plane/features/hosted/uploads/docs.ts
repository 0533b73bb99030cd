/** The documentation of uploaded images. */
import type { OperationDocs } from '../../../http/operation.ts';

export const imageDocs: OperationDocs = {
  id: 'getUploadedImage',
  tag: 'Landing pages',
  summary: 'Show an uploaded picture',
  description:
    'A picture in one of its sizes. It is also there on the origin of the codes, where its `url` is. What is at a path never changes: ' +
    'caches keep it for a year. Pages of other origins may embed it. There is no limit by address.',
  params: {
    id: { description: 'From the `url` of the picture', example: '4nX5cPq7Rk2mQw8ZaB3dE' },
    name: {
      description:
        'The width in pixels and the format: `1200.jpg` as the `url` has it, and `640.avif`, `640.webp` and so on as pages use them',
      example: '1200.jpg',
    },
  },
  responses: {
    200: {
      description: 'The picture',
      contentTypes: ['image/avif', 'image/webp', 'image/jpeg'],
      headers: {
        etag: 'The tag of the file',
        'cache-control': '`public, max-age=31536000, immutable`',
        'accept-ranges': '`bytes`',
      },
    },
    206: {
      description: 'The part of it that `Range` names',
      contentTypes: ['image/avif', 'image/webp', 'image/jpeg'],
      headers: { 'content-range': 'The part' },
    },
    304: { description: 'The picture is the one that `If-None-Match` names', headers: { etag: 'Its tag' } },
  },
  refusals: {
    404: 'there is no such picture; nothing keeps this answer',
    412: 'If-Match names another version',
    416: 'Range begins after the end of the file',
    503: 'the storage does not answer, or too many pictures are being read',
  },
};
