#!/usr/bin/env node
/** `waymark`: the API from the command line. A failure is one message on standard error, and exit code 1. */
import { createWaymark, type Waymark } from '@waymark/client';
import { failureText } from './failure.ts';
import { createProgram } from './program.ts';
import { connectionFrom } from './settings.ts';

let client: Waymark | undefined;
const program = createProgram({
  // Help needs no key.
  get connection() {
    return connectionFrom(process.env);
  },
  get waymark() {
    client ??= createWaymark(connectionFrom(process.env));
    return client;
  },
  print: (line) => console.log(line),
});

try {
  await program.parseAsync();
} catch (error) {
  console.error(failureText(error));
  process.exitCode = 1;
}
