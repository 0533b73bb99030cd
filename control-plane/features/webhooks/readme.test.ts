/** The lines of the guide work when pasted, and its programs accept only genuine deliveries. */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { beforeAll, describe, expect, test } from 'vitest';
import { createdWebhookObject, deliveryList } from '#schemas/api/webhooks.ts';
import { afterFile, freePort, temporaryFolder } from '../../../deploy/testing/local.ts';
import { hasProgram } from '../../../deploy/testing/programs.ts';
import { startTestControlPlane, type TestControlPlane, type Workspace } from '../../testing/control-plane.ts';
import { type Received, startReceiver } from './testing/receiver.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const guide = await readFile(path.join(import.meta.dirname, 'README.md'), 'utf8');

/** The block of the guide whose first line names the file. */
const blockOf = (file: string): string => {
  const blocks = [...guide.matchAll(/```\w+\n([\s\S]*?)```/g)].map(([, block]) => block!);
  const found = blocks.find((block) => /^(\/\/|#) (\S+)$/m.exec(block.split('\n')[0]!)?.[2] === file);
  if (found === undefined) throw new Error(`the guide has no ${file}`);
  return found;
};

let plane: TestControlPlane;
let own: Workspace;
let folder: string;

beforeAll(async () => {
  plane = await startTestControlPlane({ environment: { WEBHOOK_ALLOW_PRIVATE: 'true' } });
  own = await plane.workspace();
  folder = await temporaryFolder();
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  for (const file of ['receiver.mjs', 'verify.mjs', 'verify.py'])
    await writeFile(path.join(folder, file), blockOf(file));
});

const create = async (url: string) => {
  const { body } = await own.call('POST', '/api/webhooks', { url, events: ['form.submitted'] });
  return createdWebhookObject.parse(body);
};

const sendTest = (id: string) => own.call('POST', `/api/webhooks/${id}/test`, {});

const deliveriesOf = async (id: string) =>
  deliveryList.parse((await own.call('GET', `/api/webhooks/${id}/deliveries`)).body).data;

test.skipIf(!hasProgram('curl'))(
  'the first block of the guide creates a webhook, tests it, rotates its secret and pauses it',
  async () => {
    const receiver = await startReceiver();
    const [, block = ''] = /```sh\n([\s\S]*?)```/.exec(guide)!;
    const script = `set -eo pipefail; KEY=${own.apiKey};\n${block}`
      .replaceAll('localhost:3000', plane.url.slice(7))
      .replaceAll('https://example.com/hooks', receiver.url);
    const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd: folder });
    expect(stdout).not.toContain('"error":"');
    const { id } = createdWebhookObject.parse(
      JSON.parse(await readFile(path.join(folder, 'webhook.json'), 'utf8')),
    );
    expect((await own.call('GET', `/api/webhooks/${id}`)).body).toMatchObject({
      status: 'paused',
      previousSecretExpiresAt: expect.any(String),
    });
    // It may have been paused before the test was sent.
    await own.call('PATCH', `/api/webhooks/${id}`, { status: 'active' });
    await expect.poll(() => receiver.received.length).toBe(1);
  },
);

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });

const startProgram = async (secret: string, port: number): Promise<ChildProcess> => {
  const environment = { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) };
  const child = spawn(process.execPath, ['receiver.mjs'], { cwd: folder, env: environment });
  afterFile(() => child.kill('SIGKILL'));
  await expect.poll(() => isListening(port)).toBe(true);
  return child;
};

test('receiver.mjs accepts genuine deliveries and rejects others', async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const { id, secret } = await create(url);
  const program = await startProgram(secret, port);
  let printed = '';
  program.stdout!.on('data', (chunk) => {
    printed += chunk;
  });
  await sendTest(id);
  await expect.poll(() => deliveriesOf(id)).toMatchObject([{ status: 'succeeded' }]);
  await expect.poll(() => printed).toMatch(/^dlv_\w{16} form\.submitted /);
  const forged = { 'webhook-id': 'dlv_1', 'webhook-timestamp': `${Math.floor(Date.now() / 1000)}` };
  const answer = await fetch(url, {
    method: 'POST',
    headers: { ...forged, 'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}` },
    body: '{}',
  });
  expect(answer.status).toBe(400);
});

interface Given {
  secret: string;
  headers: Received['headers'];
  body: string;
}

/**
 * Runs a program that verifies its input.
 * @returns for each request, the type of the event, or that it was rejected
 */
const runWith = (command: string, args: string[], given: readonly Given[]): unknown => {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: folder,
    input: JSON.stringify(given),
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, expect.any(String)]);
  return JSON.parse(stdout);
};

const inNode = `
  import { text } from 'node:stream/consumers';
  import { verify } from './verify.mjs';
  const typeOf = ({ secret, headers, body }) => {
    try {
      return verify(secret, headers, Buffer.from(body)).type;
    } catch (error) {
      return { refused: String(error) };
    }
  };
  console.log(JSON.stringify(JSON.parse(await text(process.stdin)).map(typeOf)));`;
const inPython = `
import json, sys
from verify import verify
def type_of(given):
    try:
        return verify(given["secret"], given["headers"], given["body"].encode())["type"]
    except ValueError as error:
        return {"refused": str(error)}
print(json.dumps([type_of(given) for given in json.load(sys.stdin)]))`;

describe.each([
  ['verify.mjs', process.execPath, ['--input-type=module', '-e', inNode]],
  ['verify.py', 'python3', ['-c', inPython]],
])('%s', (_, command, args) => {
  test.skipIf(!hasProgram(command))(
    'accepts only genuine deliveries, also while the secret is rotated',
    async () => {
      const receiver = await startReceiver();
      const { id, secret } = await create(receiver.url);
      await own.call('POST', `/api/webhooks/${id}/rotate-secret`);
      await sendTest(id);
      await expect.poll(() => receiver.received.length).toBe(1);
      const { headers, body } = receiver.received[0]!;
      const old = new Date(Date.now() - 310_000);
      const signed = {
        'webhook-id': 'dlv_1',
        'webhook-timestamp': `${Math.floor(old.getTime() / 1000)}`,
        'webhook-signature': new Webhook(secret).sign('dlv_1', old, body),
      };
      const changes: Partial<Given>[] = [
        {},
        { headers: signed },
        { body: `${body} ` },
        { secret: `whsec_${Buffer.alloc(32).toString('base64')}` },
        { headers: { ...headers, 'webhook-signature': '' } },
        { headers: { ...headers, 'webhook-signature': 'v1,é' } },
        { headers: { ...headers, 'webhook-timestamp': '9'.repeat(400) } },
        { headers: {} },
      ];
      const given = changes.map((change) => ({ secret, headers, body, ...change }));
      expect(runWith(command, args, given)).toEqual([
        'form.submitted',
        ...changes.slice(1).map(() => ({ refused: expect.any(String) })),
      ]);
    },
  );
});
