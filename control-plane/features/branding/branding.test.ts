import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { type BrandingObject, brandingObject } from '#schemas/api/branding.ts';
import { domainObject } from '#schemas/api/domains.ts';
import {
  brandDocumentId,
  brandDocuments,
  documentKey,
  domainDocumentId,
  domainDocuments,
  parseDocument,
} from '#schemas/documents.ts';
import { createLogger } from '#shared/logger.ts';
import { createRedis, untilReady } from '#shared/redis.ts';
import { afterFile, temporaryFolder } from '../../../deploy/testing/local.ts';
import { hasProgram } from '../../../deploy/testing/programs.ts';
import { startTestRedis } from '../../../deploy/testing/redis.ts';
import { errorSchema } from '../../api/openapi/document.ts';
import { countUnpublished } from '../../publishing/queue.ts';
import { startTestControlPlane, type TestControlPlane, type Workspace } from '../../testing/control-plane.ts';
import { type DnsServer, startDnsServer } from '../domains/testing/dns-server.ts';
import { createDomainOwner } from '../domains/testing/domain-owner.ts';
import { blackPng, dataUrlOf, gifOfFrames, plain } from '../hosted/uploads/testing/pictures.ts';
import { createKey } from '../tenancy/store.ts';

let plane: TestControlPlane;
let own: Workspace;
let dns: DnsServer;

beforeAll(async () => {
  dns = await startDnsServer();
  plane = await startTestControlPlane({ environment: { DNS_SERVERS: dns.address } });
  own = await plane.workspace();
});

const path = '/api/branding';

const texts = { unknown: null, inactive: null, expired: null, capped: null, password: null };
const unset = {
  ...{ name: null, logo: null, accent: null, background: null, url: null, phone: null, email: null },
  texts,
};

const read = async ({ call }: Pick<Workspace, 'call'> = own): Promise<BrandingObject> =>
  brandingObject.parse((await call('GET', path)).body);

const set = async (body: object, { call }: Pick<Workspace, 'call'> = own): Promise<BrandingObject> => {
  const answer = await call('PUT', path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return brandingObject.parse(answer.body);
};

const documentsOf = async (id: string): Promise<string[]> =>
  (await plane.internal('GET', `/internal/documents?ids=${id}`)).body as string[];

/** The branding of a workspace, as redirectors look it up. */
const brandOf = async ({ workspaceId }: Workspace) => {
  const [text = ''] = await documentsOf(brandDocumentId(workspaceId));
  return parseDocument(brandDocuments, text);
};

const brandOfDomain = async (domain: string) => {
  const [text = ''] = await documentsOf(domainDocumentId(domain));
  return parseDocument(domainDocuments, text);
};

const logoOf = async (width: number, height: number): Promise<string> =>
  dataUrlOf(await plain(width, height).png().toBuffer(), 'png');

const complete = {
  name: 'Corner Café',
  accent: '#0c4a6e',
  background: '#F8FAFC',
  url: 'https://www.example.com/',
  phone: '+49(0)30-123456',
  email: 'info@example.com',
  texts: {
    unknown: { title: 'Hier ist leider nichts', text: 'Bitte fragen Sie im Laden danach.\nDanke!' },
    inactive: { title: 'Geschlossen', text: null },
    expired: { title: null, text: 'Das Angebot ist leider vorbei.' },
    capped: { title: 'Vergriffen', text: 'Alles ist weg.' },
    password: { title: 'Für Gäste', text: 'Das Passwort steht auf der Karte.' },
  },
};

describe('the branding of a workspace', () => {
  test('is empty until it is set, and then as it was sent', async () => {
    const workspace = await plane.workspace();
    expect(await read(workspace)).toEqual({ ...unset, updatedAt: null });
    const answer = await set(complete, workspace);
    expect(answer).toEqual({ ...complete, logo: null, updatedAt: expect.stringMatching(/^20.*Z$/) });
    expect(await read(workspace)).toEqual(answer);
  });

  test('is replaced as a whole: a field that is absent, null or empty is unset, and {} unsets all', async () => {
    const workspace = await plane.workspace();
    const first = await set({ ...complete, logo: await logoOf(80, 80) }, workspace);
    const less = {
      ...{ name: null, accent: null, url: '', logo: '', phone: '' },
      texts: { unknown: { title: '', text: 'Nothing' }, capped: {}, password: null },
    };
    const second = await set({ ...less, email: 'a@example.com' }, workspace);
    expect(second).toEqual({
      ...unset,
      email: 'a@example.com',
      texts: { ...texts, unknown: { title: null, text: 'Nothing' } },
      updatedAt: expect.any(String),
    });
    expect(Date.parse(second.updatedAt!)).toBeGreaterThan(Date.parse(first.updatedAt!));
    expect(await set({}, workspace)).toEqual({ ...unset, updatedAt: expect.any(String) });
  });

  test('is each workspace’s own: a key reads and sets that of its workspace only', async () => {
    const [mine, theirs] = [await plane.workspace(), await plane.workspace()];
    await set({ name: 'Mine' }, mine);
    expect(await read(theirs)).toEqual({ ...unset, updatedAt: null });
    await set({ name: 'Theirs' }, theirs);
    expect([(await read(mine)).name, (await read(theirs)).name]).toEqual(['Mine', 'Theirs']);
  });

  test('is seen with any key, and set with that of an owner or admin', async () => {
    const workspace = await plane.workspace();
    const before = await set({ name: 'Ours' }, workspace);
    for (const [role, status] of [
      ['member', 403],
      ['admin', 200],
    ] as const) {
      const key = await createKey(plane.pool, { workspaceId: workspace.workspaceId, role, name: null });
      const call = plane.callWith(key!.apiKey);
      expect(await read({ call })).toEqual(before);
      expect((await call('PUT', path, { name: 'Ours' })).status).toBe(status);
    }
    expect((await plane.callWith(undefined)('PUT', path, {})).status).toBe(401);
  });
});

describe('a field that cannot be used is named, and nothing changes', () => {
  test.each<[body: object, status: number, message: string]>([
    [{ name: 'x'.repeat(81) }, 422, 'name must have at most 80 characters; given: 81'],
    [{ name: ' \u200b' }, 422, 'name must have a visible character'],
    [{ name: 'a\nb' }, 422, 'name must not contain control characters'],
    [{ name: 7 }, 400, 'name must be a string'],
    [{ accent: 'red' }, 422, 'accent must be a colour such as #1a2b3c'],
    [{ background: '#12345' }, 422, 'background must be a colour such as #1a2b3c'],
    [{ url: 'javascript:alert(1)' }, 422, 'url must be an absolute http or https URL'],
    [{ url: 'https://user:pass@example.com/' }, 422, 'url must not contain a user name or password'],
    [{ url: `https://example.com/${'ä'.repeat(1_980)}` }, 422, 'url is too long once it is percent-encoded'],
    [{ phone: '+49 30 123456' }, 422, 'phone must be a telephone number without spaces'],
    [{ phone: '+()' }, 422, 'phone must be a telephone number without spaces'],
    [{ phone: '1'.repeat(62) }, 422, 'phone must have at most 41 characters; given: 62'],
    [{ email: 'Ann <ann@example.com>' }, 422, 'email must not contain white space'],
    [{ email: 'ann@localhost' }, 422, 'email must be an e-mail address such as info@example.com'],
    [{ email: 'mailto:ann@example.com' }, 422, 'email must be an e-mail address'],
    [{ texts: { unknown: { title: 'x'.repeat(121) } } }, 422, 'texts.unknown.title must have at most 120'],
    [{ texts: { capped: { text: 'x'.repeat(1_001) } } }, 422, 'texts.capped.text must have at most 1000'],
    [{ texts: { expired: { text: 'a\u0007' } } }, 422, 'texts.expired.text must not contain control'],
    [{ texts: { gone: {} } }, 400, 'texts.gone is not a known field; accepted are unknown, inactive'],
    [{ texts: { unknown: 'x' } }, 400, 'texts.unknown must be an object'],
    [{ slogan: 'x' }, 400, 'slogan is not a known field; accepted are name, logo, accent'],
  ])('%j is %i: %s', async (body, status, message) => {
    const before = await set({ name: 'Kept' });
    const answer = await own.call('PUT', path, body);
    expect([answer.status, errorSchema.parse(answer.body).error]).toEqual([
      status,
      expect.stringContaining(message),
    ]);
    expect(await read()).toEqual(before);
  });

  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');

  test.each<[what: string, logo: () => Promise<string>, status: number, message: string]>([
    [
      'a PNG of 50,000 × 50,000 pixels',
      async () => dataUrlOf(blackPng(50_000, 50_000), 'png'),
      422,
      'logo has 50000 × 50000 pixels, 2500 megapixels; at most 50 are allowed',
    ],
    [
      'a file that is cut off',
      async () => dataUrlOf((await plain(300, 300).jpeg().toBuffer()).subarray(0, 700), 'jpeg'),
      422,
      'logo cannot be read: the picture is damaged or cut off',
    ],
    [
      'an SVG',
      async () => dataUrlOf(svg, 'svg+xml'),
      422,
      "logo says that it is 'image/svg+xml': it must be a PNG, JPEG, GIF or WebP picture",
    ],
    [
      'an SVG that says that it is a PNG',
      async () => dataUrlOf(svg, 'png'),
      422,
      'logo says that it is image/png, and its content is markup, such as SVG or HTML',
    ],
    ['a URL', async () => 'https://example.com/a.png', 422, 'logo must be a data URI in base64'],
    [
      'a picture of more than 5 MB',
      async () => dataUrlOf(Buffer.alloc(5 * 2 ** 20 + 1), 'png'),
      413,
      'logo must not be larger than 5 MB',
    ],
    [
      'a body of more than 8 MB',
      async () => dataUrlOf(Buffer.alloc(9 * 2 ** 20), 'png'),
      413,
      'logo must not be larger than 5 MB',
    ],
  ])('a logo that is %s', async (_, logo, status, message) => {
    const before = await set({ name: 'Kept' });
    const answer = await own.call('PUT', path, { name: 'Lost', logo: await logo() });
    expect([answer.status, errorSchema.parse(answer.body).error]).toEqual([
      status,
      expect.stringContaining(message),
    ]);
    expect(await read()).toEqual(before);
  });
});

describe('the logo', () => {
  test('becomes a small WebP in the answer, and redirectors learn the size in which it is shown', async () => {
    const workspace = await plane.workspace();
    const { logo } = await set({ logo: await logoOf(1_200, 400) }, workspace);
    const { width, height, format } = await sharp(Buffer.from(logo!.split(',')[1]!, 'base64')).metadata();
    expect([format, width, height]).toEqual(['webp', 240, 80]);
    expect((await brandOf(workspace)).brand).toEqual({ logo: { dataUrl: logo, width: 120, height: 40 } });
  });

  test('of an animation is its first frame', async () => {
    const { logo } = await set({ logo: dataUrlOf(gifOfFrames(30), 'gif') });
    expect((await sharp(Buffer.from(logo!.split(',')[1]!, 'base64')).metadata()).pages ?? 1).toBe(1);
  });

  test('stays as it is, byte for byte, if the logo of an answer is sent, of the workspace or of a domain', async () => {
    const noise = { type: 'gaussian', mean: 128, sigma: 90 } as const;
    const create = { width: 384, height: 80, channels: 3, background: '#888888', noise } as const;
    const sent = dataUrlOf(await sharp({ create }).png().toBuffer(), 'png');
    const workspace = await plane.workspace();
    const { logo } = await set({ logo: sent }, workspace);
    expect((await set({ logo, name: 'With a name' }, workspace)).logo).toBe(logo);
    const domain = await createDomainOwner(dns, workspace).add({ branding: { logo } });
    expect(domain.branding?.logo).toBe(logo);
    await set({}, workspace);
    expect((await set({ logo }, workspace)).logo).toBe(logo);
  });
});

describe('redirectors look up', () => {
  test('a workspace that has set nothing: a document without a brand', async () => {
    const workspace = await plane.workspace();
    const id = brandDocumentId(workspace.workspaceId);
    expect(await brandOf(workspace)).toEqual({ id, version: expect.any(Number) });
    const unknown = [brandDocumentId('ws_1111111111111111'), brandDocumentId(''), brandDocumentId('ws_%00')];
    expect(await documentsOf(unknown.join(','))).toEqual([]);
  });

  test('what was set, with the language of its texts, and a higher version after each change', async () => {
    const workspace = await plane.workspace();
    const before = await brandOf(workspace);
    await set(complete, workspace);
    const after = await brandOf(workspace);
    expect(after.brand).toEqual({
      ...complete,
      texts: {
        ...complete.texts,
        inactive: { title: 'Geschlossen' },
        expired: { text: 'Das Angebot ist leider vorbei.' },
      },
      language: 'de',
    });
    await set({}, workspace);
    const cleared = await brandOf(workspace);
    expect(cleared.brand).toBeUndefined();
    expect([after.version, cleared.version]).toEqual([before.version + 1, before.version + 2]);
  });

  test('a domain’s own branding, and none for a domain without one: redirectors have that of its workspace', async () => {
    const workspace = await plane.workspace();
    const { addVerified } = createDomainOwner(dns, workspace);
    const plain = await addVerified();
    const branded = await addVerified({ branding: { name: 'Another', accent: '#ff0000' } });
    const bare = await addVerified({ branding: {} });
    const documents = () => Promise.all([plain, branded, bare].map(({ domain }) => brandOfDomain(domain)));
    const before = await documents();
    await set({ name: 'Ours' }, workspace);
    // A change of a workspace's branding is one document, however many domains it has.
    expect(await documents()).toEqual(before);
    expect(before.map(({ brand }) => brand)).toEqual([undefined, { name: 'Another', accent: '#ff0000' }, {}]);
    const change = { branding: null };
    const answer = await workspace.call('PATCH', `/api/domains/${branded.id}`, change);
    expect(domainObject.parse(answer.body).branding).toBeNull();
    expect((await brandOfDomain(branded.domain)).brand).toBeUndefined();
  });
});

test('a change reaches Redis before it is answered', async () => {
  const redis = createRedis(
    plane.redisUrl,
    { name: 'test', commandTimeoutMs: 5_000 },
    createLogger('test', 'silent'),
  );
  afterFile(() => redis.disconnect());
  await untilReady(redis);
  const workspace = await plane.workspace();
  await set({ name: 'In Redis' }, workspace);
  const brand = await redis.get(documentKey(brandDocumentId(workspace.workspaceId)));
  expect(parseDocument(brandDocuments, brand!).brand).toEqual({ name: 'In Redis' });
});

test('while Redis is away a change is answered, and waits in the queue', async () => {
  const server = await startTestRedis();
  const alone = await startTestControlPlane({ redisUrl: server.url });
  const workspace = await alone.workspace();
  await server.kill();
  expect((await set({ name: 'Later' }, workspace)).name).toBe('Later');
  const { rows } = await alone.pool.query('SELECT kind, id, state FROM unpublished');
  expect(rows).toEqual([{ kind: 'brand', id: brandDocumentId(workspace.workspaceId), state: 'waiting' }]);
  expect((await countUnpublished(alone.pool)).waiting).toBe(1);
});

test.skipIf(!hasProgram('curl'))(
  'the lines of the guide set a branding, and then one with a logo',
  async () => {
    const guide = await readFile(new URL('./README.md', import.meta.url), 'utf8');
    const blocks = [...guide.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block);
    const workspace = await plane.workspace();
    const cwd = await temporaryFolder();
    const paste = async (lines: string): Promise<BrandingObject> => {
      const settings = `set -eo pipefail; KEY=${workspace.apiKey}; curl() { command curl --fail-with-body "$@"; }`;
      const script = `${settings}\n${lines.replaceAll('localhost:3000', plane.url.slice(7))}`;
      await promisify(execFile)('bash', ['-c', script], { cwd });
      return read(workspace);
    };
    expect(blocks).toHaveLength(2);
    expect(await paste(blocks[0]!)).toMatchObject({
      phone: '+4930123456',
      texts: { inactive: { title: 'This table has moved' } },
    });
    expect(await paste(blocks[1]!)).toMatchObject({
      name: 'Corner Café',
      logo: expect.stringMatching(/^data:image\/webp/),
      phone: null,
    });
  },
);
