/** The documentation of picture uploads. */
import { landingImageUpload, uploadedLandingImage } from '#schemas/api/landing-image.ts';
import type { OperationDocs } from '../../api/http/operation.ts';

export const uploadImageDocs: OperationDocs = {
  id: 'uploadLandingPageImage',
  tag: 'Landing pages',
  summary: 'Upload a picture for a landing page',
  description:
    'Stores a picture, and sets its URL as `heroImageUrl` or `avatarUrl` of the page. The `url` may be ' +
    'used on all pages of the workspace and for the items of its menus.\n\n' +
    '- The file is a PNG, JPEG, GIF or WebP of at most 5 MB and 50 megapixels. Its type must be that of ' +
    'the data URI.\n' +
    '- A workspace has at most 1,000 pictures. A picture to which no page has referred for 7 days is ' +
    'removed.\n' +
    '- The picture is rotated as its camera recorded, converted to sRGB and encoded again. Nothing else of ' +
    'the file is published: no place, no camera, no name. Of an animation, the first frame is kept.\n' +
    '- Pages show it in up to three widths, as AVIF and WebP. `url` is a JPEG of at most 1200 pixels, for ' +
    'link previews and other uses.\n' +
    '- The same file gets the same `url`.',
  params: {
    pageId: { description: 'The `pageId` of the landing page.', example: 'page_4nX5cPq7Rk2mQw8Z' },
  },
  requestSchema: landingImageUpload,
  requestExamples: {
    avatar: {
      summary: 'A picture of one pixel, as GIF',
      value: {
        kind: 'avatar',
        dataUrl: 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
      },
    },
  },
  responses: {
    200: {
      description: 'The picture is stored, and is on the page',
      schema: uploadedLandingImage,
      example: { kind: 'avatar', url: 'https://qr.example.com/i/4nX5cPq7Rk2mQw8ZaB3dE/384.jpg' },
    },
  },
  refusals: {
    409: 'The workspace has 1,000 pictures',
    422:
      'The data URI is invalid, is not in base64, or names another type than that of its content; or the ' +
      'picture has another format, is damaged, has more than 50 megapixels, or takes too long to read',
    503:
      'Too many pictures are being read, or the storage is full or unavailable. Nothing was stored: retry ' +
      'after `Retry-After` seconds',
  },
  refusalExamples: {
    409: {
      error:
        'A workspace has at most 1,000 uploaded images; those to which no page has referred for 7 days are removed in the night',
      code: 'CONFLICT',
    },
    422: {
      error: 'dataUrl says that it is image/png, and its content is image/jpeg: both must be the same',
      code: 'UNPROCESSABLE',
    },
  },
  furtherLimit: 'too many pictures of the workspace are waiting to be read',
};
