/** The documentation of uploaded images. */
import type { OperationDocs } from '../../../api/http/operation.ts';

export const imageDocs: OperationDocs = {
  id: 'getUploadedImage',
  tag: 'Landing pages',
  summary: 'Get an uploaded picture',
  description:
    'Returns an uploaded picture in one of its sizes. It is also served at the origin of the codes, where ' +
    'its `url` is. The content of a path never changes: caches keep it for a year. Pages of other origins ' +
    'may embed it. There is no limit by address.',
  params: {
    id: { description: 'The id of the picture, from its `url`.', example: '4nX5cPq7Rk2mQw8ZaB3dE' },
    name: {
      description:
        'The width in pixels and the format: `1200.jpg` in the `url`; `640.avif`, `640.webp` and so on in ' +
        'pages.',
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
      description: 'The part of the picture that `Range` requests',
      contentTypes: ['image/avif', 'image/webp', 'image/jpeg'],
      headers: { 'content-range': 'The position of the part, and the total size' },
    },
    304: {
      description: 'The picture has not changed: its tag is in `If-None-Match`',
      headers: { etag: 'The tag of the file' },
    },
  },
  refusals: {
    404: 'The picture does not exist. This response is not cached',
    412: '`If-Match` names another version',
    416: '`Range` begins after the end of the file',
    503: 'The storage is unavailable, or too many pictures are being read',
  },
  refusalExamples: { 404: { error: 'There is no picture at this path', code: 'NOT_FOUND' } },
};
