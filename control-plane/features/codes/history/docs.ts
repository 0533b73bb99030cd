/** The documentation of the history of a code. */
import { revertedCodeObject } from '#schemas/api/codes.ts';
import { codeHistory } from '#schemas/api/history.ts';
import type { OperationDocs } from '../../../api/http/operation.ts';
import { etagHeader, exampleCode, ifMatchHeader, overtaken, overtakenExample, staleHeader } from '../docs.ts';
import { codeIdParam, dynamicCodesTag } from '../store/docs.ts';
import { logosKept, megabytesKept, versionsKept } from '../store/history.ts';

const tag = dynamicCodesTag;
const kept = versionsKept.toLocaleString('en');

export const historyDocs: OperationDocs = {
  id: 'listCodeHistory',
  tag,
  summary: 'List the history of a code',
  description:
    'Lists the changes of a code, newest first: who made them, when, and each changed field with its value before ' +
    'and after. A change by a bulk operation is by the key that began it. The history is kept for ever, with the ' +
    `latest ${kept} changes, or as many of them as have ${megabytesKept} MB. Logos are shown by their hash, passwords ` +
    'only as `set`, `changed` or `removed`. The ' +
    'creation is the last entry. Changes from before there was a history are missing.',
  params: codeIdParam,
  responses: {
    200: {
      description: 'A page of the history',
      schema: codeHistory,
      example: {
        data: [
          {
            version: 2,
            at: '2026-05-05T09:30:00.000Z',
            by: { type: 'key', keyId: 'key_4nX5cPq7Rk2mQw8Z', keyName: 'Till' },
            action: 'changed',
            changes: [
              { field: 'destination', from: 'https://example.com/menu', to: 'https://example.org/summer' },
            ],
          },
          { version: 1, at: '2026-05-04T12:00:00.000Z', by: null, action: 'created', changes: [] },
        ],
        pagination: { limit: 25, cursor: null, nextCursor: null },
      },
    },
  },
};

export const revertDocs: OperationDocs = {
  id: 'revertCode',
  tag,
  summary: 'Revert a code to an earlier version',
  description:
    'Gives a code the configuration that it had at a version of its history. This makes a new version; scans see ' +
    'it as soon as this call returns, and no quota is used. `notRestored` names what stays as it is: a password, of ' +
    'which only a hash is stored, and not kept; an expiry that has passed; a style whose logo is no longer kept (the ' +
    `latest ${logosKept} of a code are); tags that are gone. A tag that was merged is the tag that it became. What an ` +
    'update would refuse today is refused. Aliases stay, too. If nothing differs, nothing is changed.',
  params: codeIdParam,
  requestExamples: { first: { summary: 'As it was created', value: { version: 1 } } },
  responses: {
    200: {
      description: 'The code as it is now',
      schema: revertedCodeObject,
      example: { ...exampleCode, notRestored: [] },
      headers: { ...staleHeader, ...etagHeader },
    },
  },
  headers: ifMatchHeader,
  refusals: {
    409: 'The code is encrypted, is locked for compliance, or keeps being changed by other requests',
    ...overtaken,
  },
  refusalExamples: {
    409: { error: 'This code is locked for compliance and cannot be updated', code: 'CONFLICT' },
    ...overtakenExample,
    422: { error: 'version must be a version of this code: from 1 to 3', code: 'UNPROCESSABLE' },
  },
};
