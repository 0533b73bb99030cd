/** Serialized items for tests: minted into a stand-in of the control plane, and verified as phones do. */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { type BatchRecord, verdicts } from '#schemas/verification.ts';
import { createSerialKeys } from '#shared/serial-keys.ts';
import { createSerialSignatures } from '#shared/serial-signatures.ts';
import { phone, secretKey } from './redirector.ts';
import type { SerializedStandIn } from './serialized-stand-in.ts';

const signatures = createSerialSignatures(createSerialKeys({ secretKey, serialKeys: undefined }));

export const sampleBatch: BatchRecord = {
  id: 'batch_test',
  workspaceId: 'ws_test',
  version: 1,
  productName: 'A watch',
  productSku: 'W-1',
  brandName: 'A brand',
};

export interface TestItem {
  id: string;
  /** The path of its URL. */
  path: string;
}

/** An unclaimed item in the stand-in. */
export const mintItem = (standIn: SerializedStandIn, batch = sampleBatch): TestItem => {
  const id = signatures.createItemId();
  standIn.batches.set(batch.id, batch);
  standIn.items.set(id, { id, batchId: batch.id, scanCount: 0 });
  return { id, path: `/v/${id}/${signatures.sign(id, 1)}` };
};

/** The value of AI 21 in its Digital Link. @param gtin 14 digits */
export const serialOf = (gtin: string, itemId: string): string => signatures.serialOf(gtin, itemId, 1);

let addresses = 0;

const verifiedBody = z.looseObject({
  verdict: z.enum(verdicts).nullish(),
  firstScannedAt: z.number().optional(),
});

export interface Verified {
  status: number;
  body: z.infer<typeof verifiedBody>;
}

/** Settings of a redirector whose disk may be slow: without them, slow writes mean no verdict. */
export const patientDisk = { SPOOL_WRITE_TIMEOUT_MS: '10000' };

/** Verifies as a new phone, unless the headers say otherwise. */
export const verify = async (
  url: string,
  { path }: Pick<TestItem, 'path'>,
  headers: Record<string, string> = {},
): Promise<Verified> => {
  const network = (addresses++).toString(16);
  const response = await fetch(url + path, {
    headers: { 'user-agent': phone, 'x-forwarded-for': `2001:db8:1:${network}::1`, ...headers },
  });
  return { status: response.status, body: verifiedBody.parse(await response.json()) };
};

/** Verifies until the answer is not 503, as a phone that retries. */
export const untilAnswered = async (...asked: Parameters<typeof verify>): Promise<Verified> => {
  for (;;) {
    const answer = await verify(...asked);
    if (answer.status !== 503) return answer;
    await sleep(20);
  }
};
