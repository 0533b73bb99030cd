/**
 * `npm run loadtest -- redirect`: measures the redirector against its peers and against what is promised of it.
 * `npm run loadtest -- api`: the same for the API.
 * `npm run loadtest -- render`: how fast pictures are made.
 * `npm run loadtest -- ranges`: what the published runs of the first one found on each machine.
 */
import { killChildren } from '../deploy/embedded/child/part.ts';
import { runApiLoadTest } from './api/index.ts';
import { usage as apiUsage, parseOptions as parseApiOptions } from './api/options.ts';
import { runRedirectLoadTest } from './redirect/index.ts';
import { parseOptions, UsageError, usage } from './redirect/options.ts';
import { rangesTable, readPublished } from './redirect/report/ranges.ts';
import { runRenderLoadTest } from './render/index.ts';
import { parseOptions as parseRenderOptions, usage as renderUsage } from './render/options.ts';

// Whatever ends this command ends what it started; on Linux the kernel sees to it where this cannot.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    killChildren();
    process.exit(1);
  });
}

try {
  const [name, ...rest] = process.argv.slice(2);
  if (name === 'api') await runApiLoadTest(parseApiOptions(rest));
  else if (name === 'ranges') console.log(rangesTable(await readPublished()));
  else if (name === 'render') await runRenderLoadTest(parseRenderOptions(rest));
  else await runRedirectLoadTest(parseOptions(process.argv.slice(2)));
} catch (error) {
  killChildren();
  if (!(error instanceof UsageError)) throw error;
  console.error(`${error.message}\n\n${usage}\n\n${apiUsage}\n\n${renderUsage}`);
  process.exitCode = 2;
}
