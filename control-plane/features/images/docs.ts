/** The documentation of pictures. */
import { downloadUrl } from '#schemas/api/images.ts';
import type { OperationDocs } from '../../api/http/operation.ts';

const tag = 'Pictures';

const params = {
  id: { description: 'The id of the code: the last part of its `redirectUrl`.', example: 'nX5cPq7Rk' },
};

const contentTypes = ['image/png', 'image/svg+xml', 'image/webp', 'image/jpeg', 'application/pdf'];

const undrawable = {
  422: 'The saved style cannot be drawn or decoded. The message suggests a change',
};

const decoded =
  '`yes`: a decoder read this picture. A picture that is transparent beside the code or behind its modules ' +
  'was read on white and on black. `on white only` and `on dark only`: it was read on that background only';

export const decodedHeader = { 'x-qr-decoded': decoded };

const pictureHeaders = {
  etag: 'Changes with the picture',
  'x-qr-decoded': `${decoded}. \`no: too small\`: it cannot be read at this size, but can at a larger one`,
  'x-qr-warnings':
    'Weaknesses of a style that can be read: too little contrast, light modules on a dark background, or a ' +
    'setting that would be refused for a new code, such as a caption in a weak colour',
  'x-qr-size-min':
    'Present if the picture is too small: the smallest size at which it can be read, `300` or `300x400`',
  'waymark-stale':
    '`brandKit` if the code cannot be read in the current look of its brand kit, or the logo of the kit is ' +
    'unavailable. The picture then has the last look that could be read, or else no brand kit',
};

export const imageDocs: OperationDocs = {
  id: 'getCodeImage',
  tag,
  summary: 'Get the picture of a code',
  description:
    'Returns the printable picture, drawn from the saved style with its frame and caption. It does not ' +
    'change with the destination. Inactive codes are drawn as well. Keep the `ETag`: if you send it as ' +
    '`If-None-Match` and the picture has not changed, the response is 304 without a body.',
  params,
  responses: {
    200: {
      description: 'The picture',
      contentTypes,
      headers: pictureHeaders,
    },
    304: {
      description: 'The picture has not changed: its tag is in `If-None-Match`',
      headers: { etag: 'The tag of the picture' },
    },
  },
  refusals: undrawable,
};

export const downloadUrlDocs: OperationDocs = {
  id: 'getDownloadUrl',
  tag,
  summary: 'Get a link to a code’s picture',
  description:
    'Returns a link that shows the picture to anyone, without a key, until `expiresAt`. Pages of other ' +
    'origins may embed it. It always shows the current style of the code.',
  params,
  responses: {
    200: {
      description: 'The link',
      schema: downloadUrl,
      example: {
        url: 'https://api.example.com/api/qr/render/nX5cPq7Rk?format=png&exp=1777899600000&sig=mF9…',
        format: 'png',
        expiresAt: '2026-05-04T13:00:00.000Z',
      },
    },
  },
};

export const signedRenderDocs: OperationDocs = {
  id: 'renderSigned',
  tag,
  summary: 'Get a picture by its link',
  description:
    'Returns the picture of a link from `GET /api/qr/codes/{id}/download-url`. The signature covers the ' +
    'code, the format, the size, the source and the expiry. If one of them is changed, the response is ' +
    '404. Appended parameters (`utm_source`, a cache-buster) are ignored.',
  params,
  responses: {
    200: {
      description: 'The picture',
      contentTypes,
      headers: pictureHeaders,
    },
    304: {
      description: 'The picture has not changed: its tag is in `If-None-Match`',
      headers: { etag: 'The tag of the picture' },
    },
  },
  refusals: {
    404: 'The link has expired, or was never created',
    ...undrawable,
    503: 'Too many pictures are being drawn; retry after `Retry-After` seconds',
  },
  refusalExamples: {
    404: { error: 'There is no picture behind this link, or it has expired', code: 'NOT_FOUND' },
  },
};
