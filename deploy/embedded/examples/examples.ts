/** The example pages of `npm start`: created once in a new DATA_DIR, and shown at every start while they exist. */
import { localUrl } from '#shared/config/local-url.ts';
import type { Settings } from '#shared/config.ts';
import { messageOf } from '#shared/errors.ts';
import { type ApiClient, createApiClient } from './api-client.ts';
import { makeExamples } from './make.ts';
import { haveExamples } from './plan.ts';
import { type Example, readRecord, writeRecord } from './record.ts';

export interface ExamplesOptions {
  settings: Settings;
  apiKey: string;
  say(line: string): void;
  /** Aborted when everything should stop. */
  signal: AbortSignal;
}

const make = async ({ settings, say, signal }: ExamplesOptions, api: ApiClient): Promise<Example[]> => {
  const { dataDir, qrHost } = settings;
  const resources: string[] = [];
  await writeRecord(dataDir, { state: 'begun', resources });
  const onMade = async (resource: string): Promise<void> => {
    resources.push(resource);
    await writeRecord(dataDir, { state: 'begun', resources });
  };
  const examples = await makeExamples({ api, qrHost, onMade, say, signal });
  await writeRecord(dataDir, { state: 'made', examples });
  return examples;
};

/** The examples that have not been deleted since. */
const remaining = async (api: ApiClient, examples: readonly Example[]): Promise<Example[]> => {
  const found = await Promise.all(
    examples.map(async ({ code, ...example }) => {
      const [page, leads] = await Promise.all([
        api.holds(example.resource),
        code && api.holds(code.resource),
      ]);
      return page ? [{ ...example, ...(code && leads ? { code } : {}) }] : [];
    }),
  );
  return found.flat();
};

const findOrMake = async (options: ExamplesOptions, api: ApiClient): Promise<Example[]> => {
  const record = await readRecord(options.settings.dataDir);
  if (record === undefined) return [];
  if (record.state === 'made') return remaining(api, record.examples);
  // An earlier start was interrupted.
  if (record.state === 'begun') for (const resource of record.resources) await api.remove(resource);
  return make(options, api);
};

const tableOf = (qrHost: string, examples: readonly Example[]): string =>
  examples
    .map(({ title, path, code }) =>
      [title.padEnd(12), ...[path, code?.path].flatMap((each) => (each ? [`${qrHost}${each}`] : []))].join(
        '  ',
      ),
    )
    .join('\n');

const common = '/api/qr/';

const removalOf = ({ settings, apiKey }: ExamplesOptions, examples: readonly Example[]): string => {
  const resources = examples.flatMap(({ resource, code }) => [resource, ...(code ? [code.resource] : [])]);
  const names = resources.map((resource) => resource.slice(common.length)).join(',');
  return `curl -X DELETE -H 'Authorization: Bearer ${apiKey}' '${settings.baseUrl}${common}{${names}}'`;
};

/** Creates or finds the examples, and prints their URLs. Never throws: failures affect only the examples. */
export const showExamples = async (options: ExamplesOptions): Promise<void> => {
  const { settings, apiKey, say, signal } = options;
  if (!haveExamples(settings)) return;
  const { host, controlPlane } = settings;
  try {
    const api = createApiClient(localUrl(host, controlPlane.port), apiKey, signal);
    const examples = await findOrMake(options, api);
    if (examples.length === 0) return;
    say(`
example pages, and the codes that lead to them
${tableOf(settings.qrHost, examples)}

to remove them
${removalOf(options, examples)}`);
  } catch (error) {
    if (!signal.aborted) say(`the example pages are not shown: ${messageOf(error)}`);
  }
};
