/** The documentation of the verification of serialized items by apps. */
import {
  serialRefusal,
  serialVerification,
  serialVerificationBody,
} from '#schemas/api/serial-verification.ts';
import { refusalTexts } from '#schemas/verification.ts';
import { errorBody } from '#shared/errors.ts';
import type { OperationDocs } from '../../../api/http/operation.ts';
import { serializedTag } from '../docs.ts';

const itemId = '7Yh2kPq9RsTu';

export const verifySerialDocs: OperationDocs = {
  id: 'verifySerial',
  tag: serializedTag,
  summary: 'Verify a serialized code',
  description:
    'Verifies a serialized code for an app that has read the code itself, as the page behind the code ' +
    'does. The item id and the signature are the last two parts of its URL, `/v/{itemId}/{signature}`. No ' +
    'key is needed. The operation is also served at the origin of the codes.\n\n' +
    'The first verification of an item claims it, and returns `authentic`. Every later one returns ' +
    '`already_scanned`, with the time and country of the first. An item that was never verified and is marked by ' +
    'its owner is `marked`, and not claimed. A scan by an app counts as one by a person. If the verdict is not certain, the response is 503, which says nothing about the code: try ' +
    'again.',
  requestSchema: serialVerificationBody,
  requestExamples: {
    code: { summary: 'A code', value: { itemId, signature: '2b4Cd6Ef8Gh1Jk3M' } },
  },
  responses: {
    200: {
      description: 'The verdict on an item that exists',
      schema: serialVerification,
      example: {
        verdict: 'already_scanned',
        itemId,
        productSku: 'SNK-042',
        productName: 'Trail runner 42',
        gtin: '09506000134352',
        brandName: 'Example Shoes',
        notice: null,
        mark: null,
        scanCount: 2,
        firstScannedAt: 1777896000000,
        firstScanCountry: 'DE',
        sameDevice: false,
      },
    },
    404: {
      description:
        'The signature is not from this service (`not_genuine`), or the item does not exist (`not_known`)',
      schema: serialRefusal,
      example: { verdict: 'not_genuine', ...errorBody('NOT_FOUND', refusalTexts.not_genuine) },
    },
  },
  refusals: { 503: 'The code cannot be verified at the moment' },
  furtherLimit: 'more than 60 verifications in a minute from one address',
};
