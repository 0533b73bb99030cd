/** The load tests by name. What each of them measures is told in `main.ts`. */
import { runApiLoadTest } from './api/index.ts';
import * as apiOptions from './api/options.ts';
import { runBulkLoadTest } from './bulk/index.ts';
import * as bulkOptions from './bulk/options.ts';
import { runClaimsChaos } from './claims/index.ts';
import * as claimsOptions from './claims/options.ts';
import type { LoadTest } from './command-line/call.ts';
import { parseFlags } from './command-line/flags.ts';
import { runGs1LoadTest } from './gs1/index.ts';
import * as gs1Options from './gs1/options.ts';
import { runHandshakes } from './handshakes/index.ts';
import * as handshakesOptions from './handshakes/options.ts';
import { runHostedLoadTest } from './hosted/index.ts';
import * as hostedOptions from './hosted/options.ts';
import { runPaintLoadTest } from './paint/index.ts';
import * as paintOptions from './paint/options.ts';
import { runRealLoadTest } from './real/index.ts';
import * as realOptions from './real/options.ts';
import { runRedirectLoadTest } from './redirect/index.ts';
import * as redirectOptions from './redirect/options.ts';
import { rangesTable, readPublished } from './redirect/report/ranges.ts';
import { runRenderLoadTest } from './render/index.ts';
import * as renderOptions from './render/options.ts';
import { runSerializedLoadTest } from './serialized/index.ts';
import * as serializedOptions from './serialized/options.ts';
import { runVerifyLoadTest } from './verify/index.ts';
import * as verifyOptions from './verify/options.ts';
import { runWebhookFaults } from './webhook-faults/index.ts';
import * as webhookFaultsOptions from './webhook-faults/options.ts';
import { runWebhooksLoadTest } from './webhooks/index.ts';
import * as webhooksOptions from './webhooks/options.ts';

const rangesUsage = `Usage: npm run loadtest -- ranges
  prints what the kept runs of redirect found on each machine`;

export const loadTests: Readonly<Record<string, LoadTest>> = {
  redirect: {
    usage: redirectOptions.usage,
    run: (args) => runRedirectLoadTest(redirectOptions.parseOptions(args)),
  },
  real: { usage: realOptions.usage, run: (args) => runRealLoadTest(realOptions.parseOptions(args)) },
  handshakes: {
    usage: handshakesOptions.usage,
    run: (args) => runHandshakes(handshakesOptions.parseOptions(args)),
  },
  api: { usage: apiOptions.usage, run: (args) => runApiLoadTest(apiOptions.parseOptions(args)) },
  bulk: { usage: bulkOptions.usage, run: (args) => runBulkLoadTest(bulkOptions.parseOptions(args)) },
  hosted: { usage: hostedOptions.usage, run: (args) => runHostedLoadTest(hostedOptions.parseOptions(args)) },
  gs1: { usage: gs1Options.usage, run: (args) => runGs1LoadTest(gs1Options.parseOptions(args)) },
  verify: { usage: verifyOptions.usage, run: (args) => runVerifyLoadTest(verifyOptions.parseOptions(args)) },
  claims: { usage: claimsOptions.usage, run: (args) => runClaimsChaos(claimsOptions.parseOptions(args)) },
  render: { usage: renderOptions.usage, run: (args) => runRenderLoadTest(renderOptions.parseOptions(args)) },
  paint: { usage: paintOptions.usage, run: (args) => runPaintLoadTest(paintOptions.parseOptions(args)) },
  serialized: {
    usage: serializedOptions.usage,
    run: (args) => runSerializedLoadTest(serializedOptions.parseOptions(args)),
  },
  webhooks: {
    usage: webhooksOptions.usage,
    run: (args) => runWebhooksLoadTest(webhooksOptions.parseOptions(args)),
  },
  'webhook-faults': {
    usage: webhookFaultsOptions.usage,
    run: (args) => runWebhookFaults(webhookFaultsOptions.parseOptions(args)),
  },
  ranges: {
    usage: rangesUsage,
    async run(args) {
      parseFlags({ args });
      console.log(rangesTable(await readPublished()));
    },
  },
};
