/** The owner on the pages of their codes: brands as documents, with Redis, the control plane and a restart. */
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { CodeRecord } from '#schemas/code-record.ts';
import {
  type BrandDocument,
  brandDocumentId,
  type DomainDocument,
  domainDocumentId,
  type PublishedBrand,
} from '#schemas/documents.ts';
import { createAsk } from './testing/ask.ts';
import { eventually } from './testing/eventually.ts';
import { startTestRedirector, type TestRedirector } from './testing/redirector.ts';

/** How often a brand was looked for, in memory. */
const brandLookups = async (): Promise<number> => {
  const text = await t.redirector.metrics.metrics();
  const counts = [...text.matchAll(/document_(?:hits|misses)_total\{[^}]*kind="brand"[^}]*\} (\d+)/g)];
  expect(counts).toHaveLength(2);
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
};

const asPerson = (language = 'en') => ({ headers: { accept: 'text/html', 'accept-language': language } });

let t: TestRedirector;
let workspaces = 0;

const publishBrand = async (
  workspaceId: string,
  brand: PublishedBrand | undefined,
  version = 1,
): Promise<void> => {
  const document: BrandDocument = { id: brandDocumentId(workspaceId), version, ...(brand && { brand }) };
  await t.publishDocument(document);
};

/** A domain of the code's workspace. @param brand its own */
const publishDomain = (
  { workspaceId }: CodeRecord,
  domain: string,
  brand?: PublishedBrand,
): Promise<void> => {
  const id = domainDocumentId(domain);
  const document: DomainDocument = {
    id,
    version: 1,
    workspaceId,
    domain,
    active: true,
    path: '/',
    ...(brand && { brand }),
  };
  return t.publishDocument(document);
};

/** A code of a workspace of its own. */
const codeOf = async (
  brand: PublishedBrand | undefined,
  changes: Partial<CodeRecord> = {},
): Promise<CodeRecord> => {
  const workspaceId = `ws_branded${++workspaces}`;
  if (brand) await publishBrand(workspaceId, brand);
  return t.published({ workspaceId, ...changes });
};

const textOf = async ({ id }: CodeRecord, language = 'en'): Promise<string> =>
  (await t.scan(id, asPerson(language))).text();

const norrsken: PublishedBrand = {
  name: 'Norrsken Ceramics',
  url: 'https://norrsken.example/',
  texts: { inactive: { title: 'This campaign is over' } },
};

beforeAll(async () => {
  t = await startTestRedirector({ QR_HOST: 'http://qr.example.com' });
  await t.connected();
  // A lookup that fails on a stalled machine leaves pages neutral for a second.
  const code = await codeOf(norrsken, { active: false });
  await vi.waitFor(async () => expect(await textOf(code)).toContain('>Norrsken Ceramics</b>'), 30_000);
});

describe('the page of a code shows the brand of its workspace', () => {
  test.each<[string, Partial<CodeRecord>]>([
    ['switched off', { active: false }],
    ['expired', { expiresAtMs: 1 }],
    ['protected by a password', { passwordProtected: true }],
    ['of a content', { dataType: 'text', destination: 'Table 14' }],
  ])('%s', async (_, changes) => {
    const page = await textOf(await codeOf(norrsken, changes));
    expect(page).toContain('>Norrsken Ceramics</b>');
  });

  test('in the language of the visitor, with the words of the owner, a way on and the id of the code', async () => {
    const code = await codeOf(norrsken, { active: false });
    const answer = await t.scan(code.id, asPerson('de-AT'));
    expect([answer.status, answer.headers.get('content-language'), answer.headers.get('vary')]).toEqual([
      410,
      'de',
      'Accept, Accept-Language',
    ]);
    const page = await answer.text();
    expect(page).toContain('<html lang="de" dir="ltr">');
    expect(page).toContain('lang="">This campaign is over</h1>');
    expect(page).toContain('href="https://norrsken.example/"');
    expect(page).toContain(`<bdi dir="ltr">${code.id}</bdi>`);
  });
});

test('the words and the button of a code come before those of its workspace', async () => {
  const code = await codeOf(norrsken, {
    active: false,
    messages: {
      inactive: {
        text: 'See you in spring.',
        button: { label: 'What is on now', url: 'https://a.example/' },
      },
    },
  });
  const page = await textOf(code);
  expect(page).toContain('lang="">This campaign is over</h1>');
  expect(page).toContain('lang="">See you in spring.</p>');
  const ways = [...page.matchAll(/<a class="button[^"]*" href="([^"]*)"/g)].map(([, href]) => href);
  expect(ways).toEqual(['https://a.example/', 'https://norrsken.example/']);
});

test('whatever the messages of a code contain, they stay texts, and their links lead to people or the web', async () => {
  const hostile = '"><script>alert(1)</script>\u202e';
  const code = await codeOf(undefined, {
    active: false,
    messages: {
      inactive: { title: hostile, text: hostile, button: { label: hostile, url: 'javascript:alert(1)' } },
    },
  });
  expect(await textOf(code)).not.toMatch(/<script|javascript:|\u202e/);
});

test('the page of a code whose workspace has set nothing is neutral, and offers another try', async () => {
  const page = await textOf(await codeOf(undefined, { active: false }));
  expect(page).not.toContain('class="brand"');
  expect(page).toContain('>Try again</a>');
});

test('an unknown code on a shared host names no owner', async () => {
  const code = await codeOf(norrsken, { active: false });
  await textOf(code);
  const page = await (await t.scan('zzzzzzzzz', asPerson())).text();
  expect(page).toContain('We cannot find this code');
  expect(page).not.toMatch(/Norrsken|class="brand"/);
});

test('a change of the brand is shown without a restart, and unset brands are gone', async () => {
  const code = await codeOf(norrsken, { active: false });
  expect(await textOf(code)).toContain('Norrsken Ceramics');
  await publishBrand(code.workspaceId, { name: 'Söderljus' }, 2);
  await eventually(async () => expect(await textOf(code)).toContain('Söderljus'));
  await publishBrand(code.workspaceId, undefined, 3);
  await eventually(async () => expect(await textOf(code)).not.toContain('class="brand"'));
});

test('a domain shows its own brand, also if nothing is found', async () => {
  const ask = createAsk(t.url);
  const code = await codeOf(norrsken, { active: false });
  const domain = `go${workspaces}.brand.example`;
  await publishDomain(code, domain, {
    name: 'Atelier Nord',
    texts: { unknown: { title: 'Not in our shop' } },
  });
  const [known, unknown, elsewhere] = [
    await ask(domain, `/${code.id}`, asPerson()),
    await ask(domain, '/zzzzzzzzz', asPerson()),
    await ask('qr.example.com', `/r/${code.id}`, asPerson()),
  ];
  expect([known.status, unknown.status]).toEqual([410, 404]);
  expect(known.text).toContain('>Atelier Nord</b>');
  expect(unknown.text).toContain('lang="">Not in our shop</h1>');
  expect(elsewhere.text).toContain('>Norrsken Ceramics</b>');
});

test('a domain without a brand of its own shows that of its workspace, soon also if nothing is found', async () => {
  const ask = createAsk(t.url);
  const code = await codeOf(norrsken, { active: false });
  const domain = `plain${workspaces}.brand.example`;
  await publishDomain(code, domain);
  expect((await ask(domain, `/${code.id}`, asPerson())).text).toContain('>Norrsken Ceramics</b>');
  await eventually(async () =>
    expect((await ask(domain, '/zzzzzzzzz', asPerson())).text).toContain('>Norrsken Ceramics</b>'),
  );
});

test('a redirect of a code with a cap does not wait for the brand, but the page of a reached cap does', async () => {
  const destination = 'https://elsewhere.example/';
  const code = await codeOf(norrsken, { destination, cap: { max: 1, epoch: 1 } });
  const before = await brandLookups();
  expect((await t.scan(code.id)).status).toBe(302);
  expect(await brandLookups()).toBe(before);
  const page = await t.scan(code.id, asPerson());
  expect([page.status, await page.text()]).toEqual([410, expect.stringContaining('>Norrsken Ceramics</b>')]);
});

test('a redirect behind a password asks for no brand, but the page of a wrong one does', async () => {
  const destination = 'https://elsewhere.example/';
  const code = await codeOf(undefined, { destination, passwordProtected: true });
  t.controlPlane.passwords.set(code.id, 'open sesame');
  const enter = (given: string) =>
    t.scan(code.id, { ...asPerson(), method: 'POST', body: new URLSearchParams({ password: given }) });
  const before = await brandLookups();
  expect((await enter('open sesame')).status).toBe(303);
  expect(await brandLookups()).toBe(before);
  await publishBrand(code.workspaceId, norrsken);
  expect(await (await enter('wrong')).text()).toContain('>Norrsken Ceramics</b>');
});

test('a brand that is held is shown while no source answers, and a page whose brand is not known is neutral', async () => {
  const held = await codeOf(norrsken, { active: false });
  expect(await textOf(held)).toContain('Norrsken Ceramics');
  const other = await codeOf(undefined, { active: false });
  t.controlPlane.documentsAway = true;
  try {
    const page = await t.scan(other.id, asPerson());
    expect([page.status, await page.text()]).toEqual([410, expect.not.stringContaining('class="brand"')]);
    expect(await textOf(held)).toContain('Norrsken Ceramics');
  } finally {
    t.controlPlane.documentsAway = false;
  }
});

test('a redirect asks for no brand', async () => {
  const code = await codeOf(undefined, { destination: 'https://elsewhere.example/' });
  const before = await brandLookups();
  expect((await t.scan(code.id)).status).toBe(302);
  expect(await brandLookups()).toBe(before);
});
