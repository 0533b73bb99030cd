/** The n8n node against the running API, and the package as n8n loads it. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../control-plane/testing/control-plane.ts';
import { buildClient } from '../build.ts';
import type { ICredentialType, INodeType, NodeProperty } from './src/n8n-types.ts';
import { type Item, runNode, testCredentials } from './testing/routing.ts';

interface Built {
  name: string;
  keywords: string[];
  dependencies?: object;
  type?: string;
  n8n: { n8nNodesApiVersion: number; credentials: string[]; nodes: string[] };
}

let plane: TestControlPlane;
let own: Workspace;
let folder: string;
let built: Built;
let node: INodeType;
let credential: ICredentialType;

/** A file of the package as n8n loads it: by require, and its class by the name of the file. */
const load = (file: string): unknown => {
  const name = path.basename(file).split('.')[0]!;
  const loaded = createRequire(import.meta.url)(path.join(folder, file)) as Record<string, new () => unknown>;
  return new loaded[name]!();
};

beforeAll(async () => {
  folder = buildClient('n8n');
  built = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  node = load(built.n8n.nodes[0]!) as INodeType;
  credential = load(built.n8n.credentials[0]!) as ICredentialType;
  plane = await startTestControlPlane();
  own = await plane.workspace();
}, 300_000);

const run = (parameters: object, apiKey = own.apiKey): Promise<Item[]> =>
  runNode(node.description, credential, { baseUrl: `${plane.url}/`, apiKey }, { ...parameters });
const one = async (parameters: object): Promise<Record<string, unknown>> => {
  const [item, ...others] = await run(parameters);
  expect(others).toEqual([]);
  return item!.json as Record<string, unknown>;
};

describe('the package', () => {
  test('has the attribute by which n8n finds its files, the keyword, and no dependencies', () => {
    expect(built).toMatchObject({ name: 'n8n-nodes-waymark', n8n: { n8nNodesApiVersion: 1 } });
    expect(built.keywords).toContain('n8n-community-node-package');
    expect(built).not.toHaveProperty('dependencies');
    // n8n requires its nodes: a module would not be found by older releases of Node.
    expect(built).not.toHaveProperty('type');
    for (const file of [...built.n8n.nodes, ...built.n8n.credentials])
      expect(existsSync(path.join(folder, file)), file).toBe(true);
    expect(existsSync(path.join(folder, 'README.md'))).toBe(true);
  });

  test('has the icons that the node and the credentials name', () => {
    for (const [file, { icon }] of [
      [built.n8n.nodes[0]!, node.description],
      [built.n8n.credentials[0]!, credential],
    ] as const) {
      const svg = path.resolve(folder, path.dirname(file), icon.slice('file:'.length));
      expect(readFileSync(svg, 'utf8')).toMatch(/^<svg [^>]*viewBox="0 0 60 60"/);
    }
  });

  test('has a declarative node: every operation is a request, and nothing is a function', () => {
    const { properties } = node.description;
    const operations = properties.filter(({ name }) => name === 'operation');
    expect(
      operations.map(({ options }) => options!.map((option) => 'value' in option && option.value)),
    ).toEqual([['create', 'deactivate', 'get', 'image', 'getAll', 'update'], ['getAll']]);
    for (const { options = [] } of operations)
      for (const option of options) expect(option.routing?.request?.url, option.name).toContain('/api/qr/');
    expect(JSON.parse(JSON.stringify(node.description))).toEqual(node.description);
    expect(node).not.toHaveProperty('execute');
    expect(node.description.credentials).toEqual([{ name: credential.name, required: true }]);
  });

  test('describes every property with a default of its type', () => {
    const typeOf: Partial<Record<NodeProperty['type'], string>> = {
      string: 'string',
      dateTime: 'string',
      json: 'string',
      number: 'number',
      boolean: 'boolean',
      collection: 'object',
    };
    const check = (property: NodeProperty): void => {
      const expected = typeOf[property.type];
      if (expected !== undefined) expect(typeof property.default, property.name).toBe(expected);
      const choices = (property.options ?? []).flatMap((option) => ('value' in option ? [option.value] : []));
      if (property.type === 'options') expect(choices, property.name).toContain(property.default);
      for (const option of property.options ?? []) if ('type' in option) check(option);
    };
    for (const property of node.description.properties) check(property);
  });
});

test('credentials are tested by a request that a key may always make', async () => {
  const tested = (apiKey: string) => testCredentials(credential, { baseUrl: `${plane.url}//`, apiKey });
  expect(await tested(own.apiKey)).toMatchObject({ workspace: { workspaceId: own.workspaceId } });
  await expect(tested('wm_wrong')).rejects.toThrow('401');
});

describe('a code', () => {
  test('is created with additional fields, read, updated and deactivated', async () => {
    const created = await one({
      data: 'https://example.com/menu',
      additionalFields: {
        name: 'Menu',
        externalId: 'menu 1',
        tags: 'summer, print,',
        metadata: '{"table": "7"}',
        expiresAt: '2040-01-01T00:00:00',
        maxScans: 5,
      },
    });
    expect(created).toMatchObject({ destination: 'https://example.com/menu', externalId: 'menu 1' });
    const codeId = 'ext_menu 1';
    expect(await one({ operation: 'get', codeId })).toMatchObject({
      id: created.id,
      name: 'Menu',
      tags: ['print', 'summer'],
      metadata: { table: '7' },
      maxScans: 5,
      expiresAt: new Date('2040-01-01T00:00:00').toISOString(),
    });
    const updateFields = { destination: 'https://example.com/lunch', tags: '', folderId: '', expiresAt: '' };
    expect(await one({ operation: 'update', codeId, updateFields })).toMatchObject({
      destination: 'https://example.com/lunch',
      tags: [],
      expiresAt: null,
      name: 'Menu',
    });
    expect(await one({ operation: 'deactivate', codeId })).toMatchObject({
      id: created.id,
      status: 'inactive',
    });
  });

  test('of another data type takes its fields as JSON, as a text or from an expression', async () => {
    const wifi = { ssid: 'Guests', encryption: 'WPA', password: 'secret words' };
    for (const dataFields of [JSON.stringify(wifi), wifi])
      expect(await one({ dataType: 'wifi', dataFields })).toMatchObject({
        dataType: 'wifi',
        destination: 'WIFI:T:WPA;S:Guests;P:secret words;;',
      });
  });

  test('is refused with the message of the API', async () => {
    await expect(run({ data: 'no address' })).rejects.toThrow(/^422 .*"param":"data"/);
    await expect(run({ operation: 'get', codeId: '../me' })).rejects.toThrow('404');
  });

  test('has its image as a file in each format', async () => {
    const { id: codeId } = await own.createCode();
    for (const format of ['png', 'webp', 'jpg', 'svg']) {
      const [item] = await run({ operation: 'image', codeId, format, size: 256, binaryProperty: 'picture' });
      const { width, format: read } = await sharp(item!.binary!.picture).metadata();
      expect([read, width]).toEqual([format === 'jpg' ? 'jpeg' : format, 256]);
    }
    const [item] = await run({ operation: 'image', codeId, format: 'pdf' });
    expect(item!.binary!.data!.subarray(0, 5).toString()).toBe('%PDF-');
  });
});

describe('lists', () => {
  test('of codes have up to the limit, or all pages, with the filters on each of them', async () => {
    const { apiKey, createCode } = await plane.workspace();
    for (let n = 0; n < 205; n++)
      await createCode({ data: `https://example.com/${n}`, tags: n < 203 ? ['a'] : [] });
    const list = { operation: 'getAll', filters: { tags: 'a', sort: 'createdAt' } };
    const destinations = (items: Item[]) =>
      items.map(({ json }) => (json as { destination: string }).destination);
    const all = Array.from({ length: 203 }, (_, n) => `https://example.com/${n}`);
    expect(destinations(await run({ ...list, limit: 3 }, apiKey))).toEqual(all.slice(0, 3));
    expect(destinations(await run({ ...list, returnAll: true }, apiKey))).toEqual(all);
    const createdAfter = '2099-01-01T00:00:00';
    expect(await run({ operation: 'getAll', returnAll: true, filters: { createdAfter } }, apiKey)).toEqual(
      [],
    );
  }, 120_000);

  test('of events go on after the last event, and have all pages', async () => {
    const { apiKey, createCode } = await plane.workspace();
    const events = (parameters: object) => run({ resource: 'event', ...parameters }, apiKey);
    const idsOf = (items: Item[]) => items.map(({ json }) => (json as { data: { qrId: string } }).data.qrId);
    const codes: string[] = [];
    for (let n = 0; n < 130; n++) codes.push((await createCode()).id);
    const all = { returnAll: true, types: 'qr.created, qr.deleted' };
    // The feed is read up to the oldest open transaction of the server, which other tests share.
    await expect.poll(async () => idsOf(await events(all)), { timeout: 60_000 }).toEqual(codes);
    const first = await events({ limit: 20 });
    expect(idsOf(first)).toEqual(codes.slice(0, 20));
    const after = (first.at(-1)!.json as { id: string }).id;
    expect(idsOf(await events({ ...all, after }))).toEqual(codes.slice(20));
  }, 120_000);
});
