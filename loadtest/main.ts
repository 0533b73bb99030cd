/**
 * `npm run loadtest -- redirect`: measures the redirector beside its peers, and its promises.
 * `npm run loadtest -- real`: measures what a real scan costs: new connections, TLS, codes that are scanned seldom.
 * `npm run loadtest -- handshakes`: measures TLS handshakes, by the library and the key.
 * `npm run loadtest -- api`: measures the API in the same way.
 * `npm run loadtest -- render`: measures the drawing of pictures.
 * `npm run loadtest -- ranges`: prints the results of the published runs of the first one, machine by machine.
 */
import { runApiLoadTest } from './api/index.ts';
import { usage as apiUsage, parseOptions as parseApiOptions } from './api/options.ts';
import { abortEverything } from './bench/abort.ts';
import { UsageError } from './command-line/usage-error.ts';
import { runHandshakes } from './handshakes/index.ts';
import { usage as handshakesUsage, parseOptions as parseHandshakesOptions } from './handshakes/options.ts';
import { runRealLoadTest } from './real/index.ts';
import { parseOptions as parseRealOptions, usage as realUsage } from './real/options.ts';
import { runRedirectLoadTest } from './redirect/index.ts';
import { parseOptions, usage } from './redirect/options.ts';
import { rangesTable, readPublished } from './redirect/report/ranges.ts';
import { runRenderLoadTest } from './render/index.ts';
import { parseOptions as parseRenderOptions, usage as renderUsage } from './render/options.ts';

// A signal to this command ends all that it has started, too. On Linux the kernel ends them after a kill -9.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    abortEverything();
    process.exit(1);
  });
}

try {
  const [name, ...rest] = process.argv.slice(2);
  if (name === 'api') await runApiLoadTest(parseApiOptions(rest));
  else if (name === 'real') await runRealLoadTest(parseRealOptions(rest));
  else if (name === 'handshakes') await runHandshakes(parseHandshakesOptions(rest));
  else if (name === 'ranges') console.log(rangesTable(await readPublished()));
  else if (name === 'render') await runRenderLoadTest(parseRenderOptions(rest));
  else await runRedirectLoadTest(parseOptions(process.argv.slice(2)));
} catch (error) {
  abortEverything();
  if (!(error instanceof UsageError)) throw error;
  console.error(
    `${error.message}\n\n${usage}\n\n${realUsage}\n\n${handshakesUsage}\n\n${apiUsage}\n\n${renderUsage}`,
  );
  process.exitCode = 2;
}
