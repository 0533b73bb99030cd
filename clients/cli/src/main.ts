#!/usr/bin/env node
/** `waymark`: the API from the command line. A failure is one message on standard error, and exit code 1. */
import { failureText } from './failure.ts';
import { createProgram } from './program.ts';
import { clientFrom } from './settings.ts';

let client: ReturnType<typeof clientFrom> | undefined;
const program = createProgram({
  // Help needs no key.
  get waymark() {
    client ??= clientFrom(process.env);
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
