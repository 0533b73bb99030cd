/** Descriptions of the fields of serialized batches, items, jobs and the quota, for the documentation. */

export const batchTexts = {
  batchName: 'A label for its owner.',
  count: 'How many items it has.',
  productSku: 'The SKU of the product; shown to whoever verifies an item.',
  productName: 'The name of the product; shown to whoever verifies an item.',
  gtin:
    'The GTIN of the product, 8, 12, 13 or 14 digits with their check digit; stored and shown with 14. Its items then have a GS1 ' +
    'Digital Link, too, and the GTIN belongs to the workspace.',
  brandName: 'The name in the issued-for line of the verification page, which is a general one without it.',
};

export const batchOwnTexts = {
  batchId: 'Its id, `batch_…`.',
  scanned: 'How many of its items were scanned at least once.',
  status:
    '`minting` until all its items are written, then `completed`; `failed` where they cannot be: then it has none, and the quota is given back.',
  createdAt: 'When it was minted, in epoch milliseconds.',
  notice:
    'What its owner says of all its items to whoever verifies one: that they are `recalled`, or were `stolen`. Items are claimed, and scans counted, all the same.',
};

export const itemTexts = {
  itemId: 'Its id, 12 characters.',
  url: 'What is printed: the address at which it is verified.',
  productSku: 'That of its batch.',
  productName: 'That of its batch.',
  scanCount: 'How often it was scanned, by people.',
  firstScannedAt: 'When it was first scanned, in epoch milliseconds; `null` while it was not.',
  firstScanCountry:
    'The country of the first scan, ISO 3166-1 alpha-2; `null` where there was none, or it is not known.',
};

export const batchItemTexts = {
  items:
    'A page of its items, in the order in which they were minted. Of a batch that is `minting`, those that are written.',
  nextCursor:
    'Where the next page begins: passed back as `cursor`. `null` on the last page; while the batch is `minting`, more may come.',
};

export const batchListTexts = {
  status: 'Batches with this status alone.',
  limit: 'How many batches the page has, at most. Without it, and without `cursor`, the list is whole.',
  cursor: 'The `nextCursor` of the page before, with the same `status`.',
};

export const itemQueryTexts = {
  limit: 'How many items the page has, at most.',
  cursor: 'The `nextCursor` of the page before.',
};

export const jobTexts = {
  jobId: 'Its id: `sjob_…` of a mint, `szip_…` of an export of images, `ssheet_…` of an export of sheets.',
  jobType: 'What it does.',
  status:
    '`pending` until its work begins, `processing` meanwhile, then `completed` or `failed`, which are final.',
  count: 'How many items it has to write.',
  itemsWritten: 'How many of them are written.',
  batchId: 'The batch that it belongs to.',
  imageFormat: 'The format of the images; `null` for every job but an export of images.',
  resultReady: 'Whether its result can be fetched: the items of a mint, the file of an export.',
  createdAt: 'When it was created, in epoch milliseconds.',
  updatedAt: 'When it last made progress, in epoch milliseconds.',
  error: 'Why it failed; only with `failed`.',
};

export const quotaTexts = {
  serializedEnabled: 'Whether the plan has serialized codes.',
  apiName: 'The name of the capability.',
  allotment: 'Items that the plan has.',
  purchased: 'Items that were bought beside them.',
  minted: 'Items that were minted, or are being minted. Those of a mint that failed are given back.',
  total: '`allotment` and `purchased` together.',
  remaining: '`total` without `minted`. Below zero where the plan is now a smaller one.',
};
