/** `npm start` from its first line to its exit code. */
import { ConfigError, settingWarnings } from '#shared/config.ts';
import { hasCode } from '#shared/errors.ts';
import { killChildren, StartError } from './child/part.ts';
import { type Options, startWaymark, type Waymark } from './supervisor.ts';
import { tableOf } from './terminal/terminal.ts';

/** npm repeats a Ctrl-C of the terminal: two within this time are one. */
const sameSignalMs = 500;

/** The one-line text of an error whose message has the fault and the remedy; undefined for other errors. */
const lineOf = (error: unknown): string | undefined => {
  if (error instanceof ConfigError || error instanceof StartError) {
    return /ENOSPC|No space left on device/.test(error.message)
      ? `the disk of DATA_DIR is full: free some space, or set another (${error.message})`
      : error.message;
  }
  if (hasCode(error, 'ENOSPC')) {
    return `the disk of DATA_DIR is full: free some space, or set another (${error.message})`;
  }
  return undefined;
};

const announce = ({ settings, apiKey, rows }: Waymark, say: (line: string) => void): void => {
  const { baseUrl, qrHost, dataDir } = settings;
  say(`
${tableOf(rows)}

API        ${baseUrl}
redirects  ${qrHost}
data       ${dataDir}
API key    ${apiKey}

curl -s -X POST ${baseUrl}/api/qr/codes -H 'Authorization: Bearer ${apiKey}' -H 'Content-Type: application/json' -d '{"data":"https://example.com"}'
`);
  // Since the process started.
  say(`ready in ${(performance.now() / 1000).toFixed(1)} s; Ctrl-C stops everything`);
};

/** npm ends on SIGTERM without forwarding it. This process notices by its new parent. */
const onNpmGone = (stop: () => void): void => {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    stop();
  }, 250);
  timer.unref();
};

/** Aborts on the first SIGINT, SIGTERM or SIGHUP; the second one ends the process at once, and its children with it. */
const stopOnSignals = (): AbortSignal => {
  const stopping = new AbortController();
  let firstMs = 0;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (!stopping.signal.aborted) {
      firstMs = performance.now();
      stopping.abort(signal);
    } else if (performance.now() - firstMs > sameSignalMs) {
      killChildren();
      process.exit(130);
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  onNpmGone(() => stopping.abort());
  return stopping.signal;
};

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

/** Starts, runs until a signal, stops, and exits: 0 after a signal, 1 if the start failed. */
export const run = async (options: Pick<Options, 'programs' | 'restartPolicy'> = {}): Promise<never> => {
  const say = (line: string) => console.log(line);
  // The planes get only the settings, and cannot warn of other variables.
  for (const line of settingWarnings()) say(line);
  const signal = stopOnSignals();
  let waymark: Waymark | undefined;
  let exitCode = 0;
  try {
    waymark = await startWaymark({ ...options, env: process.env, say, signal });
    announce(waymark, say);
    const { settings, apiKey } = waymark;
    // Loaded only now: the start does not need it.
    const { showExamples } = await import('./examples/examples.ts');
    await Promise.all([showExamples({ settings, apiKey, say, signal }), aborted(signal)]);
  } catch (error) {
    if (!signal.aborted) {
      exitCode = 1;
      console.error(lineOf(error) ?? error);
    }
  }
  if (waymark) say('stopping');
  await waymark?.stop();
  process.exit(exitCode);
};
