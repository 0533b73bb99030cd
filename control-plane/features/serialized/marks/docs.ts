/** The documentation of the operations on single serialized items and their marks. */
import { mintCountMax } from '#schemas/api/serialized.ts';
import {
  markedAtOnceMax,
  markedItemList,
  markItemsAnswer,
  serializedItemDetails,
} from '#schemas/api/serialized-marks.ts';
import type { OperationDocs } from '../../../api/http/operation.ts';
import { batchIdParam, exampleItem, serializedTag, stillMintingExample } from '../docs.ts';

const itemParams = {
  ...batchIdParam,
  itemId: { description: 'The id of the item.', example: exampleItem.itemId },
};

const exampleMark = { state: 'stolen', note: 'Lost on the way to Lyon', markedAt: 1777896000000 };

const exampleDetails = {
  ...exampleItem,
  batchId: batchIdParam.batchId.example,
  position: 17,
  serial: '7Yh2kPq9RsTu1aBcDeFg',
  digitalLink: 'https://qr.example.com/01/09506000134352/21/7Yh2kPq9RsTu1aBcDeFg',
  state: 'unclaimed',
  lastScannedAt: null,
  lastScanCountry: null,
  mark: null,
};

const markedItem = { ...exampleDetails, mark: exampleMark };

const effect =
  'The verification page of a marked item says so within a second or two, in every language. An unclaimed item is not ' +
  'claimed while it is marked: the verdict is `marked`, and the scan does not count. A claimed one is still counted. Works ' +
  'on every plan, so that a recall can be announced and ended after a downgrade.';

const minting = {
  refusals: { 409: 'The batch is still minting, or minting has failed' },
  refusalExamples: { 409: stillMintingExample },
};

const bodies = {
  stolen: { summary: 'It was stolen', value: { state: 'stolen', note: exampleMark.note } },
  returned: {
    summary: 'It came back last week',
    value: { state: 'returned', markedAt: '2026-05-04T12:00:00Z' },
  },
};

export const readItemDocs: OperationDocs = {
  id: 'getSerializedItem',
  tag: serializedTag,
  summary: 'Get a serialized item',
  description:
    'Returns one item of a batch: its address, its serial, its scans and its mark. Scans are counted within a second or two.',
  params: itemParams,
  responses: { 200: { description: 'The item', schema: serializedItemDetails, example: markedItem } },
};

export const markItemDocs: OperationDocs = {
  id: 'markSerializedItem',
  tag: serializedTag,
  summary: 'Mark a serialized item',
  description:
    'Marks one item as recalled, stolen or returned, in place of the mark that it has. Marking it again in the same way changes ' +
    `nothing. ${effect}`,
  params: itemParams,
  requestExamples: bodies,
  responses: { 200: { description: 'The marked item', schema: serializedItemDetails, example: markedItem } },
  ...minting,
};

export const unmarkItemDocs: OperationDocs = {
  id: 'unmarkSerializedItem',
  tag: serializedTag,
  summary: 'Remove the mark of a serialized item',
  description:
    'Removes the mark of an item, if it has one. If the item is unclaimed, its next scan is its first one, as if it had never been ' +
    'marked.',
  params: itemParams,
  responses: { 204: { description: 'The item has no mark' } },
  ...minting,
};

export const listMarksDocs: OperationDocs = {
  id: 'listMarkedItems',
  tag: serializedTag,
  summary: 'List the marked items of a batch',
  description:
    'Lists the items of a batch that are marked, in the order in which they were minted. All of its items may be marked: ' +
    `${mintCountMax.toLocaleString('en')} at most.`,
  params: batchIdParam,
  responses: {
    200: {
      description: 'A page of marked items',
      schema: markedItemList,
      example: { data: [markedItem], pagination: { limit: 500, cursor: null, nextCursor: null } },
    },
  },
};

export const markItemsDocs: OperationDocs = {
  id: 'markSerializedItems',
  tag: serializedTag,
  summary: 'Mark serialized items',
  description:
    `Marks up to ${markedAtOnceMax} items of a batch in the same way, or removes their marks. An id that is no item of the batch ` +
    `costs only itself: its result says so, and the others are marked. ${effect}`,
  params: batchIdParam,
  requestExamples: {
    recalled: {
      summary: 'Two items are recalled',
      value: {
        itemIds: [exampleItem.itemId, '3Kq8fNw2VxR7'],
        mark: { state: 'recalled', note: 'Wrong adhesive' },
      },
    },
    none: { summary: 'An item has no mark any more', value: { itemIds: [exampleItem.itemId], mark: null } },
  },
  responses: {
    200: {
      description: 'What was done with each id',
      schema: markItemsAnswer,
      example: {
        changed: 1,
        unchanged: 0,
        failed: 1,
        results: [
          { itemId: exampleItem.itemId, status: 'changed' },
          {
            itemId: '3Kq8fNw2VxR7',
            status: 'failed',
            message: `itemIds[1]: There is no item with the id '3Kq8fNw2VxR7' in the batch ${batchIdParam.batchId.example}`,
            code: 'NOT_FOUND',
          },
        ],
      },
    },
  },
  ...minting,
};
