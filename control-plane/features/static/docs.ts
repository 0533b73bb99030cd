/** The documentation of the operations that render static codes. */
import { createdCodeObject } from '#schemas/api/codes.ts';
import { staticCode } from '#schemas/api/static.ts';
import type { OperationDocs, ResponseDocs } from '../../http/operation.ts';
import { createCodeDocs } from '../codes/docs.ts';
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
  description: 'The picture; of it nothing is kept',
  schema: staticCode,
  example: { type: 'static', dataType: 'url', format: 'png', image: 'data:image/png;base64,iVBORw0KGgo=' },
  headers: decodedHeader,
};

const about =
  'The pattern holds the data itself: nothing is stored, counted or changed later. `image` is SVG markup for ' +
  '`returnType` `svg`, else a data URI. There is no `pdf` of a static code.';

export const createStaticDocs: OperationDocs = {
  id: 'createStaticCode',
  tag,
  summary: 'Render a static code',
  description: about,
  requestExamples,
  responses: { 200: rendered },
};

export const generateDocs: OperationDocs = {
  id: 'generateCode',
  tag,
  summary: 'Generate a code of either kind',
  description:
    'Static unless `type` is `dynamic`; then it is made and answered as by `POST /api/qr/codes`, and the quota and the ' +
    'Waymark-Idempotency-Key apply. ' +
    about,
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
  description: about,
  requestExamples,
  responses: { 200: rendered },
  refusals: {
    503: 'Too many pictures are being drawn, where those with a key come first; try again after `Retry-After` seconds',
  },
  furtherLimit: 'a logo from it took too much to draw, and no other is taken for `Retry-After` seconds',
};
