/**
 * `npm run loadtest -- redirect`: measures the redirector beside its peers, and its promises.
 * `npm run loadtest -- real`: measures what a real scan costs: new connections, TLS, rarely scanned codes.
 * `npm run loadtest -- handshakes`: measures TLS handshakes, by the library and the key.
 * `npm run loadtest -- api`: measures the API in the same way.
 * `npm run loadtest -- bulk`: measures bulk operations.
 * `npm run loadtest -- hosted`: measures views of hosted pages.
 * `npm run loadtest -- gs1`: measures GS1 Digital Links beside plain redirects.
 * `npm run loadtest -- verify`: measures verifications of serialized codes.
 * `npm run loadtest -- claims`: kills Redis and redirectors while serialized codes are scanned for the first time.
 * `npm run loadtest -- render`: measures the drawing of pictures.
 * `npm run loadtest -- paint`: measures the first look of the example pages on a slow line.
 * `npm run loadtest -- serialized`: measures serialized codes.
 * `npm run loadtest -- webhooks`: measures deliveries of webhooks.
 * `npm run loadtest -- webhook-faults`: kills control planes and PostgreSQL while endpoints fail.
 * `npm run loadtest -- ranges`: prints the results of the published runs of the first one, machine by machine.
 */
import { runApiLoadTest } from './api/index.ts';
import * as apiOptions from './api/options.ts';
import { abortEverything } from './bench/abort.ts';
import { runBulkLoadTest } from './bulk/index.ts';
import * as bulkOptions from './bulk/options.ts';
import { runClaimsChaos } from './claims/index.ts';
import * as claimsOptions from './claims/options.ts';
import { parseFlags } from './command-line/flags.ts';
import { UsageError } from './command-line/usage-error.ts';
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

// A signal to this command ends all that it has started, too. On Linux the kernel ends them after a kill -9.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    abortEverything();
    process.exit(1);
  });
}

interface LoadTest {
  usage: string;
  /** @param args those behind its name. @throws {UsageError} before anything starts */
  run(args: string[]): Promise<void>;
}

const rangesUsage = `Usage: npm run loadtest -- ranges
  prints what the kept runs of redirect found on each machine`;

const loadTests: Readonly<Record<string, LoadTest>> = {
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

const [name = '', ...rest] = process.argv.slice(2);
const isHelp = (arg: string): boolean => arg === '--help' || arg === '-h';
const named = Object.hasOwn(loadTests, name) ? loadTests[name] : undefined;
const usage = (named ? [named] : Object.values(loadTests)).map((each) => each.usage).join('\n\n');

const run = async (): Promise<void> => {
  if ([name, ...rest].some(isHelp)) console.log(usage);
  else if (named) await named.run(rest);
  else {
    const fault = name === '' ? 'no load test is named' : `there is no load test ${name}`;
    throw new UsageError(`${fault}; there are ${Object.keys(loadTests).join(', ')}`);
  }
};

try {
  await run();
} catch (error) {
  abortEverything();
  if (!(error instanceof UsageError)) throw error;
  console.error(`${error.message}\n\n${usage}`);
  process.exitCode = 2;
}
