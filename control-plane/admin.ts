/**
 * The operator's command line: `npm run --silent admin -- <verb> …`. Results are JSON lines, or a file. Exit codes: 0
 * done, 1 failed, 2 wrong usage.
 */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { callAdmin } from './admin/call.ts';
import { features } from './app.ts';
import { consumersOf, verbsOf } from './framework/feature.ts';
import { createOutbox } from './framework/outbox.ts';

process.exitCode = await callAdmin(
  process.argv.slice(2),
  { verbs: verbsOf(features), outbox: createOutbox(consumersOf(features)) },
  {
    say: (line) => console.log(line),
    send: (file) => pipeline(Readable.from(file, { highWaterMark: 1 }), process.stdout, { end: false }),
    complain: (line) => console.error(line),
  },
);
