/** `npm run loadtest -- NAME`: runs the load test with this name. `npm run loadtest -- --help` prints the names, purposes and flags. */
import { abortEverything } from './bench/abort.ts';
import { callLoadTest } from './load-test/call.ts';
import { loadTests } from './load-tests.ts';

// A signal to this command ends everything that it has started, too. On Linux the kernel ends it after a kill -9.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    abortEverything();
    process.exit(1);
  });
}

try {
  process.exitCode = await callLoadTest(process.argv.slice(2), loadTests, {
    say: (text) => console.log(text),
    complain: (text) => console.error(text),
  });
} catch (error) {
  abortEverything();
  throw error;
}
