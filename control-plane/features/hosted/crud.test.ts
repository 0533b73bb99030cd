import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { formList, formObject } from '#schemas/api/forms.ts';
import { landingPageList, landingPageObject } from '#schemas/api/landing-pages.ts';
import { menuList, menuObject } from '#schemas/api/menus.ts';
import type { Plan } from '#schemas/api/plans.ts';
import {
  errorBody,
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../testing/control-plane.ts';
import { changeSubscription } from '../tenancy/store.ts';

let plane: TestControlPlane;
let own: Workspace;

beforeAll(async () => {
  plane = await startTestControlPlane();
  own = await plane.workspace();
});

type Page = Record<string, unknown> & { updatedAt: number; createdAt: number; name: string };

interface Kind {
  path: string;
  idField: string;
  idShape: RegExp;
  listField: string;
  object: z.ZodObject;
  list: z.ZodObject;
  max: number;
  noun: string;
  capability: string;
  without: Plan;
  plansWithIt: Plan[];
  /** Every content field, set. */
  full: Record<string, unknown>;
  /** The same, as the API answers it. */
  shown: Record<string, unknown>;
  /** The content of a page that has only a name. */
  unset: Record<string, unknown>;
}

const buttons = [
  { label: 'Site', destination: 'https://example.com/', hint: 'Ours' },
  { id: 'call', label: 'Call', destination: 'tel:+4930123456' },
];
const shownButtons = [{ ...buttons[0], id: 'site' }, buttons[1]];
const socials = [
  { platform: 'email', url: 'info@example.com' },
  { platform: 'custom', url: 'https://example.com/', label: 'Ours', iconUrl: 'https://example.com/i.png' },
];
const shownSocials = [
  { ...socials[0], id: 'email' },
  { ...socials[1], id: 'custom' },
];
const theme = { name: 'market', background: '#ffffff', text: '#111827', accent: '#0C4A6E' };

const kinds: Kind[] = [
  {
    path: '/api/qr/landing-pages',
    idField: 'pageId',
    idShape: /^page_\w{16}$/,
    listField: 'pages',
    object: landingPageObject,
    list: landingPageList,
    max: 100,
    noun: 'landing page',
    capability: 'landingPages',
    without: 'starter',
    plansWithIt: ['growth', 'business', 'enterprise'],
    full: {
      headline: 'Hello',
      subheadline: 'you',
      body: 'Two\nlines',
      heroImageUrl: 'https://example.com/hero.jpg',
      avatarUrl: 'https://example.com/avatar.jpg',
      buttons,
      socials,
      theme,
    },
    get shown() {
      return { ...this.full, buttons: shownButtons, socials: shownSocials };
    },
    unset: {
      headline: null,
      subheadline: null,
      body: null,
      heroImageUrl: null,
      avatarUrl: null,
      buttons: [],
      socials: [],
      theme: {},
    },
  },
  {
    path: '/api/qr/forms',
    idField: 'formId',
    idShape: /^form_\w{16}$/,
    listField: 'forms',
    object: formObject,
    list: formList,
    max: 100,
    noun: 'form',
    capability: 'forms',
    without: 'starter',
    plansWithIt: ['growth', 'business', 'enterprise'],
    full: {
      description: 'Write to us',
      fields: [
        { type: 'email', label: 'E-mail', required: true, placeholder: 'you@example.com', maxLength: 100 },
        { id: 'size', type: 'radio', label: 'Size', options: ['S', 'M'], helpText: 'Which?' },
      ],
      redirectAfterSubmit: 'https://example.com/thanks',
      thankYouMessage: 'Thank you',
      submitLabel: 'Send',
      logoUrl: 'https://example.com/logo.png',
      theme,
      socials,
    },
    get shown() {
      const [email, size] = this.full.fields as object[];
      return {
        ...this.full,
        fields: [
          { ...email, id: 'e-mail' },
          { ...size, required: false },
        ],
        socials: shownSocials,
      };
    },
    unset: {
      description: null,
      fields: [],
      redirectAfterSubmit: null,
      thankYouMessage: null,
      submitLabel: null,
      logoUrl: null,
      theme: {},
      socials: [],
    },
  },
  {
    path: '/api/qr/menus',
    idField: 'menuId',
    idShape: /^menu_\w{16}$/,
    listField: 'menus',
    object: menuObject,
    list: menuList,
    max: 50,
    noun: 'menu',
    capability: 'menus',
    without: 'growth',
    plansWithIt: ['business', 'enterprise'],
    full: {
      headline: 'Menu',
      subheadline: 'of the day',
      footer: 'Open till late',
      heroImageUrl: 'https://example.com/hero.jpg',
      sections: [
        {
          name: 'Wine',
          description: 'By the glass',
          items: [
            {
              name: 'Riesling',
              description: 'From the Mosel',
              price: '€ 5',
              allergens: [' Sulphites', 'sulphites'],
              dietary: ['Vegan'],
              customTags: { taste: ['Dry', 'dry '] },
              imageUrl: 'https://example.com/wine.jpg',
            },
            { id: 'x', name: 'Riesling' },
          ],
        },
        { name: 'Nothing yet', items: [] },
      ],
      tagCategories: [{ id: 'taste', name: 'Taste', values: ['Dry', 'Sweet', 'DRY'] }],
      theme,
      buttons,
      socials,
    },
    get shown() {
      const [wine, empty] = this.full.sections as { items: object[] }[];
      const [riesling, other] = wine!.items;
      const tags = { allergens: ['sulphites'], dietary: ['vegan'], customTags: { taste: ['dry'] } };
      return {
        ...this.full,
        sections: [
          {
            ...wine,
            items: [
              { ...riesling, ...tags, id: 'riesling' },
              { ...other, allergens: [], dietary: [], customTags: {} },
            ],
          },
          empty,
        ],
        tagCategories: [{ id: 'taste', name: 'Taste', values: ['dry', 'sweet'] }],
        buttons: shownButtons,
        socials: shownSocials,
      };
    },
    unset: {
      headline: null,
      subheadline: null,
      footer: null,
      heroImageUrl: null,
      sections: [],
      tagCategories: [],
      theme: {},
      buttons: [],
      socials: [],
    },
  },
];

/** Sets each content field separately: no item has a tag of a category. */
const apart = ({ full }: Kind): Record<string, unknown> => ({
  ...full,
  ...('sections' in full && { sections: [{ name: 'Wine', items: [{ id: 'x', name: 'Riesling' }] }] }),
});

const countFieldOf = ({ idField }: Kind): string => (idField === 'formId' ? 'submissionCount' : 'viewCount');

describe.each(kinds)('$path', (kind) => {
  const { path, object } = kind;
  const parse = (body: unknown): Page => object.strict().parse(body) as Page;
  const at = (page: Page): string => `${path}/${page[kind.idField]}`;

  const create = async (body: object = {}, { call } = own): Promise<Page> => {
    const answer = await call('POST', path, { name: 'A page', ...body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return parse(answer.body);
  };
  const patch = async (page: Page, body: object): Promise<Page> => {
    const answer = await own.call('PATCH', at(page), body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return parse(answer.body);
  };
  const find = async (page: Page): Promise<Page> => parse((await own.call('GET', at(page))).body);
  const list = async ({ call } = own): Promise<Page[]> =>
    kind.list.strict().parse((await call('GET', path)).body)[kind.listField] as Page[];

  test('a create needs a name, and answers with every field', async () => {
    const page = await create();
    expect(page).toEqual({
      [kind.idField]: expect.stringMatching(kind.idShape),
      workspaceId: own.workspaceId,
      name: 'A page',
      status: 'active',
      ...kind.unset,
      [countFieldOf(kind)]: 0,
      createdAt: expect.closeTo(Date.now(), -5),
      updatedAt: page.createdAt,
    });
    const refused = await own.call('POST', path, {});
    expect([refused.status, errorBody.parse(refused.body).error]).toEqual([400, 'name is required']);
  });

  test('content is stored and answered as sent: by POST, GET, the list and PATCH', async () => {
    const page = await create({ ...kind.full, status: 'paused' });
    expect(page).toMatchObject({ ...kind.shown, status: 'paused' });
    expect(await find(page)).toEqual(page);
    expect((await list()).find((each) => each[kind.idField] === page[kind.idField])).toEqual(page);
    expect(await patch(page, {})).toEqual(page);
    expect(await patch(await create(), kind.full)).toMatchObject(kind.shown);
    // An answer can be sent back as a request.
    const content = Object.fromEntries(Object.keys(kind.full).map((field) => [field, page[field]]));
    expect(await patch(page, content)).toEqual({ ...page, updatedAt: expect.any(Number) });
  });

  test('PATCH is partial: an absent field stays, null and an empty text clear it, a value replaces it entirely', async () => {
    const fields = apart(kind);
    const page = await create(fields);
    for (const [field, empty] of Object.entries(kind.unset)) {
      const cleared = await patch(page, { [field]: empty === null ? '' : null });
      expect(cleared).toEqual({ ...page, [field]: empty, updatedAt: expect.any(Number) });
      const back = await patch(page, { [field]: fields[field] });
      expect(back).toEqual({ ...page, updatedAt: expect.any(Number) });
    }
    const nothing = Object.fromEntries(Object.keys(kind.unset).map((field) => [field, null]));
    expect(await patch(page, nothing)).toMatchObject(kind.unset);
    expect(await patch(page, { theme: { text: '#000000' } })).toMatchObject({ theme: { text: '#000000' } });
    expect(await patch(page, { theme: { accent: '#000000' } })).toMatchObject({
      theme: { accent: '#000000' },
    });
    for (const blank of ['', ' ', null])
      expect((await patch(page, { theme: { name: blank, text: ' ' } })).theme).toEqual({});
    expect(await patch(page, { name: 'Other', status: 'paused' })).toMatchObject({
      name: 'Other',
      status: 'paused',
    });
    for (const body of [{ name: null }, { status: null }])
      expect((await own.call('PATCH', at(page), body)).status, JSON.stringify(body)).toBe(400);
    expect((await own.call('PATCH', at(page), { name: '' })).status).toBe(422);
  });

  test('DELETE answers 204 once; after that the page does not exist', async () => {
    const page = await create();
    const statuses = await Promise.all(
      [1, 2, 3].map(async () => (await own.call('DELETE', at(page))).status),
    );
    expect(statuses.sort()).toEqual([204, 404, 404]);
    for (const method of ['GET', 'PATCH'])
      expect((await own.call(method, at(page), method === 'PATCH' ? {} : undefined)).status).toBe(404);
    expect(await list()).not.toContainEqual(expect.objectContaining({ [kind.idField]: page[kind.idField] }));
  });

  test(`after deletion ${kind.noun === 'form' ? 'the fields are kept, for its submissions' : 'only the fact that it existed is kept'}`, async () => {
    const page = await create(kind.full);
    expect((await own.call('DELETE', at(page))).status).toBe(204);
    const { rows } = await plane.pool.query('SELECT content FROM hosted_pages WHERE id = $1', [
      page[kind.idField],
    ]);
    expect(rows).toEqual([
      { content: kind.noun === 'form' ? expect.objectContaining({ fields: page.fields }) : {} },
    ]);
  });

  test('an unknown id is 404, another workspace’s is 403, and neither changes anything', async () => {
    const foreign = await plane.workspace();
    const page = await create();
    for (const [id, status] of [
      [String(page[kind.idField]), 403],
      [`${kind.idField.slice(0, 4)}_4nX5cPq7Rk2mQw8Z`, 404],
      ['%00', 404],
    ] as const)
      for (const [method, body] of [['GET'], ['PATCH', { name: 'mine' }], ['PATCH', {}], ['DELETE']] as const)
        expect((await foreign.call(method, `${path}/${id}`, body)).status, `${method} ${id}`).toBe(status);
    expect(await find(page)).toEqual(page);
    expect(await list(foreign)).toEqual([]);
  });

  test(`a workspace has at most ${kind.max}, however many are created at once`, async () => {
    const crowded = await plane.workspace();
    const post = () => crowded.call('POST', path, { name: 'x' });
    // All but ten are inserted directly: creations queue behind each other, and 100 at once would time out.
    const first = await create({}, crowded);
    await plane.pool.query(
      `WITH counted AS (UPDATE hosted_page_counts SET pages = pages + $2 WHERE workspace_id = $3)
       INSERT INTO hosted_pages (id, workspace_id, kind, name, status, content, language)
       SELECT left(id, -3) || translate((100 + n)::text, '0', 'z'), workspace_id, kind, name, status, content, language
       FROM hosted_pages, generate_series(1, $2) AS n WHERE id = $1`,
      [first[kind.idField], kind.max - 11, crowded.workspaceId],
    );
    const answers = await Promise.all(Array.from({ length: 20 }, post));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(10);
    const refused = answers.filter(({ status }) => status === 409);
    expect(refused).toHaveLength(10);
    expect(refused[0]!.body).toMatchObject({
      error: `A workspace has at most ${kind.max} ${kind.noun}s; delete one first`,
      code: 'CONFLICT',
      capability: kind.capability,
      limit: kind.max,
      used: kind.max,
    });
    const pages = await list(crowded);
    expect(pages).toHaveLength(kind.max);
    const remove = () => crowded.call('DELETE', at(pages[0]!));
    await Promise.all([remove(), remove()]);
    expect([(await post()).status, (await post()).status]).toEqual([201, 409]);
    // Each kind has its own limit.
    for (const other of kinds.filter((each) => each !== kind))
      expect((await crowded.call('POST', other.path, { name: 'x' })).status).toBe(201);
  });

  test('needs a plan that includes it; after a downgrade the owner can still list, read, pause and delete', async () => {
    const refused = {
      status: 403,
      body: { code: 'FEATURE_NOT_ON_PLAN', capability: kind.capability, plans: kind.plansWithIt },
    };
    const { call, workspaceId } = await plane.workspace({ plan: kind.plansWithIt[0]! });
    const created = await call('POST', path, { name: 'x' });
    expect(created.status).toBe(201);
    const one = `${path}/${(created.body as Record<string, string>)[kind.idField]}`;
    await changeSubscription(plane.pool, workspaceId, { plan: kind.without as Plan });
    // Until this process learns of the downgrade, calls still succeed; this one changes nothing.
    await expect.poll(() => call('PATCH', one, {})).toMatchObject(refused);
    expect(await call('POST', path, { name: 'y' })).toMatchObject(refused);
    for (const body of [{}, { name: 'z' }, { status: 'active' }, { status: 'paused', name: 'z' }])
      expect(await call('PATCH', one, body), JSON.stringify(body)).toMatchObject(refused);
    const listed = Object.values((await call('GET', path)).body as Record<string, unknown[]>);
    expect(listed).toMatchObject([[{ name: 'x', status: 'active' }]]);
    expect(await call('PATCH', one, { status: 'paused' })).toMatchObject({
      status: 200,
      body: { name: 'x', status: 'paused' },
    });
    expect(await call('GET', one)).toMatchObject({ status: 200, body: { status: 'paused' } });
    expect((await call('DELETE', one)).status).toBe(204);
  });

  test('concurrent changes of different fields lose nothing', async () => {
    const page = await create();
    const fields = Object.entries(apart(kind));
    const answers = await Promise.all(fields.map(([field, value]) => patch(page, { [field]: value })));
    const both = await find(page);
    for (const [field, value] of fields)
      expect(both).toMatchObject({ [field]: field === 'sections' ? value : kind.shown[field] });
    // Each answer shows an intermediate state, and no two answers show the same one.
    expect(new Set(answers.map(({ updatedAt }) => updatedAt)).size).toBe(fields.length);
  });

  test('version and updatedAt grow with each change', async () => {
    const page = await create();
    const versionOf = async (): Promise<number> => {
      const { rows } = await plane.pool.query<{ version: string }>(
        'SELECT version FROM hosted_pages WHERE id = $1',
        [page[kind.idField]],
      );
      return Number(rows[0]!.version);
    };
    let { updatedAt } = page;
    for (let version = 2; version < 12; version++) {
      const changed = await patch(page, { name: `${version}` });
      expect(changed.updatedAt).toBeGreaterThan(updatedAt);
      expect(await versionOf()).toBe(version);
      ({ updatedAt } = changed);
    }
    expect((await own.call('DELETE', at(page))).status).toBe(204);
    expect(await versionOf()).toBe(12);
  });

  test('the language of its texts is detected when they are written, and stored with them', async () => {
    const publishedLanguageOf = async (page: Page): Promise<unknown> => {
      const { rows } = await plane.pool.query('SELECT language FROM hosted_pages WHERE id = $1', [
        page[kind.idField],
      ]);
      return rows[0]?.language;
    };
    const segment = { pageId: 'p', formId: 'f', menuId: 'm' }[kind.idField];
    const shownIn = async (page: Page): Promise<string | undefined> => {
      const response = await fetch(`${plane.url}/${segment}/${page[kind.idField]}`, {
        headers: { accept: 'text/html' },
      });
      return /^<!doctype html>\n?<html lang="?(\w+)/i.exec(await response.text())?.[1];
    };
    const says = (text: string) => (kind.noun === 'form' ? { description: text } : { subheadline: text });
    const page = await create(says('Wir freuen uns auf Ihren Besuch in unserem Haus'));
    expect(await publishedLanguageOf(page)).toBe('de');
    await patch(page, { status: 'paused' });
    await patch(page, { status: 'active', theme });
    expect(await publishedLanguageOf(page)).toBe('de');
    expect(await shownIn(page)).toBe('de');
    await patch(page, says('Menu'));
    expect(await publishedLanguageOf(page)).toBe('');
    await patch(page, says('Nous sommes ouverts tous les jours de midi à minuit'));
    expect([await publishedLanguageOf(page), await shownIn(page)]).toEqual(['fr', 'fr']);
  });

  test('a retry with the same Waymark-Idempotency-Key creates nothing more', async () => {
    const workspace = await plane.workspace();
    const post = () =>
      workspace.call('POST', path, { name: 'x', ...kind.full }, { 'waymark-idempotency-key': 'once' });
    const [first, second] = [await post(), await post()];
    expect([first.status, second.status, second.body]).toEqual([201, 201, first.body]);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(await list(workspace)).toHaveLength(1);
  });
});

test('a view count beyond 32 bits is shown like any other', async () => {
  const { body } = await own.call('POST', '/api/qr/menus', { name: 'x' });
  const { menuId } = menuObject.parse(body);
  await plane.pool.query('INSERT INTO hosted_page_views (page_id, views) VALUES ($1, 5000000000)', [menuId]);
  const answer = await own.call('GET', `/api/qr/menus/${menuId}`);
  expect([answer.status, answer.body]).toMatchObject([200, { viewCount: 5_000_000_000 }]);
});

describe('the order of a list', () => {
  const namesOf = async ({ call }: Workspace, path: string, field: string): Promise<string[]> => {
    const { body } = await call('GET', path);
    return z
      .record(z.string(), z.array(z.object({ name: z.string() })))
      .parse(body)
      [field]!.map(({ name }) => name);
  };

  test.each(kinds)('of $path is as SPEC says', async ({ path, listField, idField }) => {
    const workspace = await plane.workspace();
    const ids: unknown[] = [];
    for (const name of ['a', 'b', 'c']) {
      const { body } = await workspace.call('POST', path, { name });
      ids.push((body as Record<string, unknown>)[idField]);
    }
    expect(await namesOf(workspace, path, listField)).toEqual(['c', 'b', 'a']);
    await workspace.call('PATCH', `${path}/${ids[1]}`, { status: 'paused' });
    // Menus: most recently updated first. Landing pages and forms: newest first.
    const expected = listField === 'menus' ? ['b', 'c', 'a'] : ['c', 'b', 'a'];
    expect(await namesOf(workspace, path, listField)).toEqual(expected);
  });
});
