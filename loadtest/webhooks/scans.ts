/** From a scan to its delivery: through a redirector, its spool, the control plane and the queue, to an endpoint that answers at once. */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { type Plane, startRedirector } from '../bench/planes.ts';
import { callFor } from '../bench/workspace.ts';
import { type Latencies, latenciesOf } from '../measure/statistics.ts';
import { deleteWebhook, type Endpoint, subscribe } from '../receivers/webhook.ts';
import type { Context } from './context.ts';

export interface ScansFigures {
  scansPerSecond: number;
  /** From the answer's moment, as the event has it, to the request at the endpoint. */
  delays: Latencies;
  scans: number;
  /** Scans without a delivery, and requests that were no good delivery. */
  wrong: number;
}

const scansPerSecond = 200;
const tickMs = 20;
const firstMsMax = 30_000;
const allMsMax = 60_000;
const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1';

const created = z.object({ id: z.string() });

/** Each scan comes from an address of its own: this row tests no limit. */
const scanOnce = async (url: string, codeId: string, n: number): Promise<void> => {
  const response = await fetch(`${url}/r/${codeId}`, {
    redirect: 'manual',
    headers: { 'user-agent': phone, 'x-forwarded-for': `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}` },
  });
  await response.arrayBuffer();
  if (response.status !== 302) throw new Error(`a scan was answered ${response.status}`);
};

/** The redirector learns of the webhook with a delay: scans before that are no events. */
const untilFirstEvent = async (webhook: Endpoint, scan: () => Promise<void>): Promise<void> => {
  const endMs = performance.now() + firstMsMax;
  while ((await webhook.count()) === 0) {
    if (performance.now() > endMs) throw new Error('no scan was delivered within half a minute');
    await scan();
    await sleep(250);
  }
  // Until the deliveries under way have come.
  await sleep(3_000);
  await webhook.take();
};

const scanSteadily = async (seconds: number, scan: () => Promise<void>): Promise<number> => {
  const startMs = performance.now();
  const scans: Promise<void>[] = [];
  for (;;) {
    const elapsedMs = Math.min(performance.now() - startMs, seconds * 1_000);
    while (scans.length < (elapsedMs * scansPerSecond) / 1_000) scans.push(scan());
    if (elapsedMs >= seconds * 1_000) break;
    await sleep(tickMs);
  }
  await Promise.all(scans);
  return scans.length;
};

const measureThrough = async (context: Context, redirector: Plane): Promise<ScansFigures> => {
  const { client, healthy, quick } = context;
  const body = { data: 'https://example.com/scanned', name: 'Scanned' };
  const { id: codeId } = await callFor(created, client, 'POST', '/api/qr/codes', body);
  const webhook = await subscribe(client, healthy, ['scan.created']);
  let n = 0;
  const scan = () => scanOnce(redirector.url, codeId, ++n);
  await untilFirstEvent(webhook, scan);
  const scans = await scanSteadily(quick ? 3 : 20, scan);
  await webhook.untilReceived(scans, allMsMax);
  const seen = await webhook.take();
  await deleteWebhook(client, webhook.id);
  const delivered = new Set(seen.map(({ eventId }) => eventId)).size;
  const faults = seen.filter(({ fault }) => fault !== null).length;
  const delays = latenciesOf(Float64Array.from(seen.map(({ atMs, createdAtMs }) => atMs - createdAtMs)));
  return { scansPerSecond, delays, scans, wrong: faults + Math.abs(scans - delivered) };
};

export const measureScans = async (context: Context): Promise<ScansFigures> => {
  const { environment } = context;
  const { home, controlPlane } = environment;
  const redirector = await startRedirector({ home, databases: environment, controlPlane });
  try {
    return await measureThrough(context, redirector);
  } finally {
    await redirector.stop();
  }
};
