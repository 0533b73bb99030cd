/** Reads of codes that search and sort: all of a process share a few connections, and the workspaces take turns. */
import { oncePerProcess } from '../../../framework/feature.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import { createFairGate } from '../../../platform/fair-queue/fair-gate.ts';

/** Does a read that may take long in its turn. */
export type InTurn = <T>(workspaceId: string, work: () => Promise<T>) => Promise<T>;

/** Of the connections of requests, a quarter. */
const createTurns = ({ options: { max } }: Pool): InTurn => {
  const gate = createFairGate({
    runningMax: Math.max(1, Math.floor(max / 4)),
    waitingMax: 256,
    waitingPerTenantMax: 64,
    waitMsMax: 3_000,
    messages: {
      tenantFull: 'Too many of your lists are waiting to be read; send fewer at once',
      busy: 'Too many lists are being read; try again shortly',
    },
    costPerMs: 1,
  });
  return (workspaceId, work) => gate.pass({ tenant: workspaceId, cost: 1 }, work);
};

export const listTurnsOf = oncePerProcess(({ pool }) => createTurns(pool));
