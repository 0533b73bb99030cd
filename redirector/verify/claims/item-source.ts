/** The control plane's lookup of items: PostgreSQL's state of many at once. */
import { type Dispatcher, request } from 'undici';
import { z } from 'zod';
import { type ItemState, itemState } from '#schemas/verification.ts';
import { createTurnBatch } from '../../limits/turn-batch.ts';

/** In one question. */
const idsMax = 250;

const itemStates = z.array(itemState);

/** @returns the item, or null where there is none. Throws when the control plane cannot say */
export type ItemSource = (itemId: string) => Promise<ItemState | null>;

/** All items of an event-loop turn are asked for together. @param timeoutMs of one question */
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
  return createTurnBatch(lookUp, idsMax);
};
