/** The documentation of pictures. */
import { downloadUrl } from '#schemas/api/images.ts';
import type { OperationDocs } from '../../http/operation.ts';

const tag = 'Pictures';

const params = { id: { description: 'The last part of the code’s `redirectUrl`', example: 'nX5cPq7Rk' } };

const contentTypes = ['image/png', 'image/svg+xml', 'image/webp', 'image/jpeg', 'application/pdf'];

const undrawable = {
  422: 'The saved style cannot be drawn or read; the message says what would help',
};

const decoded =
  '`yes`: this very picture was read by a decoder. Where it is transparent beside the code or behind its modules, it was read on white ' +
  'and on black; `on white only` and `on dark only` say where else it is not';

export const decodedHeader = { 'x-qr-decoded': decoded };

const pictureHeaders = {
  etag: 'Changes with the picture',
  'x-qr-decoded': `${decoded}. \`no: too small\`: it is not read in this size, and would be in a larger one`,
  'x-qr-warnings':
    'What of the style is read, and yet is far from good: too little contrast, light modules on a dark ground, or what is drawn ' +
    'for a code that has it already and would be refused of a new one, such as a caption in a weak colour',
  'x-qr-size-min':
    'Only where the picture is too small: the size from which on it is read, `300` or `300x400`',
  'waymark-stale':
    '`brandKit` where the code cannot be read in the present look of its brand kit, or the logo of the kit cannot be had: ' +
    'the picture is in the last look in which it could, or else without the kit',
};

export const imageDocs: OperationDocs = {
  id: 'getCodeImage',
  tag,
  summary: 'Get the picture of a code',
  description:
    'The printable picture, drawn from the saved style, frame and caption included. It does not change with the ' +
    'destination. Inactive codes are drawn, too. Keep the `ETag`: with it in `If-None-Match`, an unchanged picture is ' +
    '304 without a body.',
  params,
  responses: {
    200: {
      description: 'The picture',
      contentTypes,
      headers: pictureHeaders,
    },
    304: { description: 'The picture is the one that `If-None-Match` names', headers: { etag: 'Its tag' } },
  },
  refusals: undrawable,
};

export const downloadUrlDocs: OperationDocs = {
  id: 'getDownloadUrl',
  tag,
  summary: 'Get a link to the picture of a code',
  description:
    'A link that shows the picture to anyone, without a key, until `expiresAt`. Pages of other origins may embed it. It ' +
    'always shows the code’s present style.',
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
  summary: 'Show the picture behind a link',
  description:
    'Links come from `GET /api/qr/codes/{id}/download-url`. The signature covers the code, the format, the size, the source ' +
    'and the expiry: a link in which any of them is changed does not exist. What is appended to it (`utm_source`, a cache-buster) ' +
    'is ignored.',
  params,
  responses: {
    200: {
      description: 'The picture',
      contentTypes,
      headers: pictureHeaders,
    },
    304: { description: 'The picture is the one that `If-None-Match` names', headers: { etag: 'Its tag' } },
  },
  refusals: {
    404: 'The link has expired, or was never made',
    ...undrawable,
    503: 'Too many pictures are being drawn; try again after `Retry-After` seconds',
  },
};
