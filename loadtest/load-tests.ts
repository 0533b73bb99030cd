/** The load tests. The usage prints them in this order. */
import { api } from './api.ts';
import { bulk } from './bulk/bulk.ts';
import { claims } from './claims/claims.ts';
import { gs1 } from './gs1.ts';
import { handshakes } from './handshakes.ts';
import { hosted } from './hosted/hosted.ts';
import { parseFlags, usageOf } from './load-test/flags.ts';
import type { LoadTest } from './load-test/load-test.ts';
import { paint } from './paint.ts';
import { real } from './real/real.ts';
import { rangesTable, readPublished } from './redirect/ranges.ts';
import { redirect } from './redirect/redirect.ts';
import { render } from './render/render.ts';
import { serialized } from './serialized/serialized.ts';
import { verify } from './verify/verify.ts';
import { webhookFaults } from './webhook-faults/faults.ts';
import { webhooks } from './webhooks/webhooks.ts';

/** It measures nothing. */
const ranges: LoadTest = {
  name: 'ranges',
  usage: usageOf('ranges', 'prints what the kept runs of redirect found on each machine', {}),
  async run(args) {
    parseFlags('ranges', {}, args);
    console.log(rangesTable(await readPublished()));
    return true;
  },
};

/** The load tests that measure, as their tests see them. */
export const definitions = [
  redirect,
  real,
  handshakes,
  api,
  bulk,
  hosted,
  gs1,
  verify,
  claims,
  render,
  paint,
  serialized,
  webhooks,
  webhookFaults,
] as const;

export const loadTests: readonly LoadTest[] = [...definitions, ranges];
