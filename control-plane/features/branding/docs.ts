/** The documentation of the operations on the branding. */
import { logoShown } from '#schemas/api/brand-logo.ts';
import { type BrandingObject, brandingBody, brandingObject } from '#schemas/api/branding.ts';
import type { OperationDocs } from '../../api/http/operation.ts';

const tag = 'Branding';

/** A pixel, as GIF. */
const sentLogo = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

const message = {
  title: 'This table has moved',
  text: 'Please scan the code on the new sign,\nor ask at the bar.',
};

const fields = {
  name: 'Corner Café',
  accent: '#0c4a6e',
  background: '#f8fafc',
  url: 'https://www.example.com/',
  phone: '+4930123456',
  email: 'info@example.com',
};

/** Example of a branding that is set. */
export const exampleBranding: Omit<BrandingObject, 'updatedAt'> = {
  ...fields,
  logo: 'data:image/webp;base64,UklGRhoAAABXRUJQVlA4TA4AAAAvAAAAAAcQEf0PRET/Aw==',
  texts: { unknown: null, inactive: message, expired: null, capped: null, password: null },
};

const example: BrandingObject = { ...exampleBranding, updatedAt: '2026-05-04T12:00:00.000Z' };

export const readBrandingDocs: OperationDocs = {
  id: 'getBranding',
  tag,
  summary: 'Get the branding',
  description: 'Returns the branding of the workspace. Unset fields are null.',
  responses: { 200: { description: 'The branding', schema: brandingObject, example } },
};

/** Refusals of a body with a logo. */
export const logoRefusals = {
  503: 'Too many pictures are being read, or a dependency is unavailable; retry after `Retry-After` seconds',
};
export const logoLimit = 'too many pictures of the workspace are waiting to be read';

export const setBrandingDocs: OperationDocs = {
  id: 'setBranding',
  tag,
  summary: 'Set the branding',
  description:
    'Sets what pages show of you: pages of codes that lead nowhere or show their content, and the password ' +
    'page. Redirectors show it within a second.\n\n' +
    '- The body replaces the whole branding: a field that is absent or null is unset. `{}` unsets everything.\n' +
    '- Missing texts are in the visitor’s language. Your own are shown as they are.\n' +
    '- A colour is adjusted where a text would be hard to read on it.\n' +
    `- The logo is shown ${logoShown.height} pixels high, and at most ${logoShown.widthMax} pixels wide. It is rotated as its ` +
    'camera recorded, converted to sRGB, and encoded again as a small WebP, which is in the page itself. Of an ' +
    'animation, the first frame is kept. If you send the `logo` of an answer, also of a domain’s, it stays as it is.\n' +
    '- A domain may have a branding of its own: see `PATCH /api/domains/{domainId}`.',
  requestSchema: brandingBody,
  requestExamples: {
    complete: {
      summary: 'A name, a logo, colours, and ways to reach you',
      value: { ...fields, logo: sentLogo, texts: { inactive: message } },
    },
    nothing: { summary: 'Unset everything', value: {} },
  },
  responses: { 200: { description: 'The branding', schema: brandingObject, example } },
  refusals: {
    422:
      'A field has the right type but an invalid value; or the logo is no data URI in base64, has another ' +
      'format than it says, is damaged, has more than 50 megapixels, or takes too long to read',
    ...logoRefusals,
  },
  refusalExamples: {
    422: {
      error: 'logo says that it is image/png, and its content is image/jpeg: both must be the same',
      code: 'UNPROCESSABLE',
    },
  },
  furtherLimit: logoLimit,
};
