/**
 * The operator's command line: `npm run --silent admin -- <verb> …`. Results are JSON lines. Exit codes: 0 done, 1 failed, 2
 * wrong usage.
 */
import { callAdmin } from './admin/call.ts';
import { features } from './app.ts';
import { consumersOf, verbsOf } from './feature.ts';
import { createOutbox } from './outbox/outbox.ts';

process.exitCode = await callAdmin(
  process.argv.slice(2),
  { verbs: verbsOf(features), outbox: createOutbox(consumersOf(features)) },
  { say: (line) => console.log(line), complain: (line) => console.error(line) },
);
