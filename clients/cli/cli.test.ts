/** `waymark` against the running API. */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { createWaymark } from '@waymark/client';
import sharp from 'sharp';
import { beforeAll, expect, test } from 'vitest';
import {
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../control-plane/testing/control-plane.ts';
import { temporaryFolder } from '../../deploy/testing/local.ts';
import { createProgram } from './src/program.ts';

let plane: TestControlPlane;
let workspace: Workspace;
let folder: string;

beforeAll(async () => {
  plane = await startTestControlPlane();
  folder = await temporaryFolder();
});

/** The lines that a command prints. @throws what it fails with */
const waymark = async (apiKey: string, ...words: string[]): Promise<string[]> => {
  const lines: string[] = [];
  const program = createProgram({
    connection: { apiKey, baseUrl: plane.url },
    waymark: createWaymark({ apiKey, baseUrl: plane.url }),
    print: (line) => lines.push(line),
  });
  program.exitOverride().configureOutput({ writeErr: () => {} });
  for (const each of program.commands) for (const command of [each, ...each.commands]) command.exitOverride();
  await program.parseAsync(words, { from: 'user' });
  return lines;
};

const fileOf = async (name: string, text: string): Promise<string> => {
  const file = path.join(folder, name);
  await writeFile(file, text);
  return file;
};

test('apply creates what is missing, changes what differs, and leaves the rest as it is', async () => {
  const { apiKey, call } = await plane.workspace();
  const first = await fileOf(
    'first.yaml',
    `
codes:
  - externalId: menu
    data: https://example.com/menu
    name: Menu
    dotsOptions: { type: rounded, color: '#1a2b3c' }
    expiresAt: 2040-01-01T00:00:00+02:00
  - externalId: wifi
    dataType: wifi
    data: { ssid: Guests, password: secret words, encryption: WPA }
`,
  );
  expect(await waymark(apiKey, 'plan', '-f', first)).toEqual([
    '+ menu: "https://example.com/menu"',
    '+ wifi: {"ssid":"Guests","password":"secret words","encryption":"WPA"}',
    '2 to create, 0 to change, 0 unchanged',
  ]);
  expect((await waymark(apiKey, 'apply', '-f', first)).at(-1)).toBe('2 applied');
  expect(await waymark(apiKey, 'apply', '-f', first)).toEqual([
    '0 to create, 0 to change, 2 unchanged',
    '0 applied',
  ]);
  const second = await fileOf(
    'second.yaml',
    (await readFile(first, 'utf8')).replace('com/menu', 'com/lunch').replace('name: Menu', 'name: Lunch'),
  );
  expect(await waymark(apiKey, 'apply', '-f', second)).toEqual([
    '~ menu: data "https://example.com/menu" → "https://example.com/lunch"',
    '~ menu: name "Menu" → "Lunch"',
    '0 to create, 1 to change, 1 unchanged',
    '1 applied',
  ]);
  const { body } = await call('GET', '/api/qr/codes/ext_menu');
  expect(body).toMatchObject({ destination: 'https://example.com/lunch', name: 'Lunch', externalId: 'menu' });
});

test('the sample file is as the guide shows it, and its codes can be made', async () => {
  const { apiKey } = await plane.workspace();
  const sample = path.join(import.meta.dirname, 'codes.yaml');
  const guide = await readFile(path.join(import.meta.dirname, 'README.md'), 'utf8');
  expect(guide).toContain(`\`\`\`yaml\n${await readFile(sample, 'utf8')}\`\`\``);
  expect((await waymark(apiKey, 'apply', '-f', sample)).at(-1)).toBe('2 applied');
});

test('one code that is refused costs only itself, and is named with the reason', async () => {
  const { apiKey, call } = await plane.workspace();
  const file = await fileOf(
    'bad.yaml',
    `codes: [{externalId: a, data: https://example.com/a}, {externalId: b, data: 'javascript:alert(1)'}]`,
  );
  await expect(waymark(apiKey, 'apply', '-f', file)).rejects.toThrow(/^1 refused:\nb: data must .*\(4\d\d, /);
  expect((await call('GET', '/api/qr/codes/ext_a')).status).toBe(200);
});

test.each([
  ['codes: 1', /must have a list under codes/],
  ['codes: []\nextra: 1', /extra is not known/],
  ['codes: [{data: x}]', /codes\[0\] must have an externalId/],
  ['codes: [{externalId: a}, {externalId: a}]', /codes\[1\] has the externalId of codes\[0\], a/],
  ['a: &a [1,1]\nb: [*a', /is not YAML/],
])('a file with %j is refused before any call', async (text, reason) => {
  const file = await fileOf('wrong.yaml', text);
  await expect(waymark('wm_none', 'apply', '-f', file)).rejects.toThrow(reason);
});

test('a code is created, read, changed, drawn, listed and switched off', async () => {
  workspace = await plane.workspace();
  const run = (...words: string[]) => waymark(workspace.apiKey, ...words);
  const [created = ''] = await run(
    'codes',
    'create',
    'https://example.com',
    '--set',
    'name=Door',
    '--set',
    'maxScans=5',
  );
  const [id = ''] = created.split('\t');
  expect(JSON.parse((await run('codes', 'get', id)).join('\n'))).toMatchObject({
    id,
    name: 'Door',
    maxScans: 5,
  });
  await run('codes', 'update', id, '--set', 'destination=https://example.com/new');
  const output = path.join(folder, 'door.png');
  await run('codes', 'image', id, '--output', output, '--size', '300');
  expect(await sharp(output).metadata()).toMatchObject({ format: 'png', width: 300 });
  await run('codes', 'deactivate', id);
  expect(await run('codes', 'list')).toEqual([`${id}\tinactive\t0\tDoor\thttps://example.com/new`]);
});

test('the program says what it lacks, and ends with 1', async () => {
  const start = (environment: object, ...words: string[]) =>
    promisify(execFile)(
      process.execPath,
      ['--conditions=waymark:source', path.join(import.meta.dirname, 'src/main.ts'), ...words],
      { env: { PATH: process.env.PATH, ...environment } },
    ).catch((error: unknown) => error);
  expect(await start({}, '--help')).toMatchObject({ stdout: expect.stringContaining('apply') });
  expect(await start({}, 'codes', 'list')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^Set WAYMARK_URL/),
  });
  expect(await start({ WAYMARK_URL: plane.url, WAYMARK_API_KEY: 'wm_wrong' }, 'codes', 'list')).toMatchObject(
    { code: 1, stderr: expect.stringMatching(/invalid or revoked \(401, .*request /) },
  );
});
