/** The API document, read by tools of others. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import { beforeAll, expect, test } from 'vitest';
import { startTestControlPlane, type TestControlPlane } from '../../control-plane/testing/control-plane.ts';
import { temporaryFolder } from '../../deploy/testing/local.ts';

let plane: TestControlPlane;
let source: string;

beforeAll(async () => {
  plane = await startTestControlPlane({
    environment: { BASE_URL: 'https://api.waymark.test', QR_HOST: 'https://qr.waymark.test' },
  });
  source = await (await fetch(`${plane.url}/openapi.json`)).text();
});

test('Redocly has no error and no warning', async () => {
  const config = await createConfig({
    extends: ['recommended'],
    rules: {
      // A literal path is never the value of a parameter: `/codes/bulk` is not the code with the id `bulk`.
      'no-ambiguous-paths': 'off',
      // Pages without parameters and limits refuse no GET.
      'operation-4xx-response': 'off',
    },
  });
  const problems = await lintFromString({ source, config, absoluteRef: '/openapi.json' });
  expect(
    problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`),
  ).toEqual([]);
});

test('Spectral has no error and no warning', async () => {
  const spectral = new spectralCore.Spectral();
  spectral.setRuleset({ extends: [oas as RulesetDefinition] });
  const problems = await spectral.run(JSON.parse(source));
  // It takes an example that has the keys `type` and `default`, as a link of GS1 has, for a schema.
  const real = problems.filter(
    ({ code, path: at }) =>
      code !== 'oas3-valid-schema-example' ||
      !/^examples?$/.test(String(at.find((part) => /^examples?$/.test(String(part))))),
  );
  expect(real.map(({ code, message, path: at }) => `${code}: ${message} ${at.join('.')}`)).toEqual([]);
});

test('a client that @hey-api/openapi-ts generates creates a code and reads it', async () => {
  const folder = path.join(await temporaryFolder(), 'generated');
  const input = path.join(path.dirname(folder), 'openapi.json');
  await writeFile(input, source);
  await createClient({
    input,
    output: { path: folder, module: { extension: '.ts' } },
    logs: { level: 'silent' },
  });
  const types = await readFile(path.join(folder, 'types.gen.ts'), 'utf8');
  for (const name of [
    'Code',
    'LandingPage',
    'Menu',
    'Form',
    'BrandKit',
    'Webhook',
    'Domain',
    'SerializedBatch',
  ])
    expect(types).toMatch(new RegExp(`export type ${name} = `));
  const { apiKey } = await plane.workspace();
  const { createClient: createCaller, createConfig: configure } = await import(
    path.join(folder, 'client/index.ts')
  );
  const { createCode, getCode } = await import(path.join(folder, 'sdk.gen.ts'));
  const client = createCaller(configure({ baseUrl: plane.url, auth: () => apiKey }));
  const created = await createCode({ client, body: { data: 'https://example.com/hey' } });
  const { data } = await getCode({ client, path: { id: created.data.id } });
  expect(data).toMatchObject({ id: created.data.id, destination: 'https://example.com/hey' });
});
