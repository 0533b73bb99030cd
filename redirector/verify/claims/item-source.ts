/** Looks items up at the control plane: their state in PostgreSQL, many per request. */
import { type Dispatcher, request } from 'undici';
import { z } from 'zod';
import { type ItemState, itemState } from '#schemas/verification.ts';
import { createLoopBatch } from '../../limits/loop-batch.ts';

/** Per request. */
const idsMax = 250;

const itemStates = z.array(itemState);

/** @returns the item, or null if it does not exist. Throws if the control plane cannot say */
export type ItemSource = (itemId: string) => Promise<ItemState | null>;

/** Batches all items of one event-loop iteration. @param timeoutMs per request */
export const createItemSource = (
  internalUrl: string,
  token: string,
  timeoutMs: number,
  dispatcher: Dispatcher,
): ItemSource => {
  const lookUp = async (ids: readonly string[]): Promise<(ItemState | null)[]> => {
    const { statusCode, body } = await request(
      `${internalUrl}/internal/serialized/items?ids=${[...new Set(ids)].join(',')}`,
      {
        dispatcher,
        headers: { authorization: `Bearer ${token}` },
        signal: AbortSignal.timeout(timeoutMs),
      },
    );
    if (statusCode !== 200) {
      await body.dump();
      throw new Error(`the control plane answered ${statusCode} to a lookup of serialized items`);
    }
    const found = new Map(itemStates.parse(await body.json()).map((item) => [item.id, item]));
    return ids.map((id) => found.get(id) ?? null);
  };
  return createLoopBatch(lookUp, idsMax);
};
