/** The documentation of the operations that render static codes. */
import { createdCodeObject } from '#schemas/api/codes.ts';
import { staticCode } from '#schemas/api/static.ts';
import type { OperationDocs, ResponseDocs } from '../../api/http/operation.ts';
import { createCodeDocs, createRefusals } from '../codes/docs.ts';
import { decodedHeader } from '../images/docs.ts';

const tag = 'Static codes';

const requestExamples = {
  url: { summary: 'A web address', value: { data: 'https://example.com/menu' } },
  wifi: {
    summary: 'A network to join, as SVG',
    value: {
      dataType: 'wifi',
      data: { ssid: 'Guests', password: 'welcome!', encryption: 'WPA' },
      returnType: 'svg',
      preset: 'wifi',
    },
  },
  gs1: {
    summary: 'A GS1 element string',
    value: { dataType: 'gs1', data: { gtin: '09506000134352', batch: 'A1', format: 'element-string' } },
  },
  gs1Elements: {
    summary: 'A GS1 element string with brackets',
    value: { dataType: 'gs1', data: '(01)09506000134352(3103)000195(3922)0299' },
  },
};

const rendered: ResponseDocs = {
  description: 'The picture, which is not stored',
  schema: staticCode,
  example: { type: 'static', dataType: 'url', format: 'png', image: 'data:image/png;base64,iVBORw0KGgo=' },
  headers: decodedHeader,
};

const about =
  'The pattern contains the data itself, which cannot be changed later. Nothing is stored or counted. ' +
  '`image` is SVG markup if `returnType` is `svg`, otherwise a data URI. `pdf` is not available for static ' +
  'codes.';

export const createStaticDocs: OperationDocs = {
  id: 'createStaticCode',
  tag,
  summary: 'Render a static code',
  description: `Returns the picture of a static code. ${about}`,
  requestExamples,
  responses: { 200: rendered },
};

export const generateDocs: OperationDocs = {
  id: 'generateCode',
  tag,
  summary: 'Generate a static or dynamic code',
  description:
    'Creates a dynamic code if `type` is `dynamic`, with the response of `POST /api/qr/codes`: the quota and ' +
    '`Waymark-Idempotency-Key` apply. Otherwise renders a static code.\n\n' +
    about,
  ...createRefusals,
  requestExamples: {
    ...requestExamples,
    dynamic: { summary: 'A dynamic code', value: { type: 'dynamic', data: 'https://example.com/menu' } },
  },
  responses: {
    200: rendered,
    201: { ...createCodeDocs.responses[201]!, schema: createdCodeObject },
  },
};

export const publicGenerateDocs: OperationDocs = {
  id: 'generatePublicCode',
  tag,
  summary: 'Render a static code without a key',
  description: `Returns the picture of a static code. ${about}`,
  requestExamples,
  responses: { 200: rendered },
  refusals: {
    503:
      'Too many pictures are being drawn, and requests with a key have priority; retry after `Retry-After` ' +
      'seconds',
  },
  furtherLimit:
    'a logo from the address took too much to draw, and no logo is accepted from it for `Retry-After` ' +
    'seconds',
};
