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
import { abortEverything } from './bench/abort.ts';
import { callLoadTest } from './command-line/call.ts';
import { loadTests } from './load-tests.ts';

// A signal to this command ends all that it has started, too. On Linux the kernel ends them after a kill -9.
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
