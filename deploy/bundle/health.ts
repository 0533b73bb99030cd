/**
 * The health check of an image, which has neither a shell nor curl: `node health.ts <plane> <live|ready>`, in the
 * environment of the plane. Exit codes: 0 healthy, 1 not, with the reason.
 */
import { localUrl } from '#shared/config/local-url.ts';
import { ConfigError, loadSettings } from '#shared/config.ts';

const timeoutMs = 4_000;

const portOf = { 'control-plane': 'controlPlane', redirector: 'redirector' } as const;

const [plane = '', question = ''] = process.argv.slice(2);
if (!Object.hasOwn(portOf, plane) || !['live', 'ready'].includes(question)) {
  console.error('Usage: node health.ts control-plane|redirector live|ready');
  process.exit(2);
}

try {
  const settings = loadSettings();
  const { internalPort } = settings[portOf[plane as keyof typeof portOf]];
  const url = `${localUrl(settings.internalHost, internalPort)}/health/${question}`;
  const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
  console.log(await response.text());
  process.exitCode = response.ok ? 0 : 1;
} catch (error) {
  if (error instanceof ConfigError) console.error(error.message);
  else console.error(error instanceof Error ? String(error.cause ?? error) : error);
  process.exitCode = 1;
}
