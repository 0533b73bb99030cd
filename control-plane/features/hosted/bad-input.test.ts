import { beforeAll, describe, expect, test } from 'vitest';
import {
  errorBody,
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../testing/control-plane.ts';

let plane: TestControlPlane;
let own: Workspace;

beforeAll(async () => {
  plane = await startTestControlPlane();
  own = await plane.workspace();
  for (const path of [pages, forms, menus]) {
    const as = (await own.call('POST', path, { name: 'x' })).body as Record<string, unknown>;
    const id = Object.values(as).find((each) => /^(?:page|form|menu)_\w{16}$/.test(String(each)));
    untouched.set(path, { url: `${path}/${id}`, as });
  }
});

/** One page of each kind, by path, with its first answer. Only rejected changes are sent to it. */
const untouched = new Map<string, { url: string; as: object }>();

const pages = '/api/qr/landing-pages';
const forms = '/api/qr/forms';
const menus = '/api/qr/menus';

const many = (count: number, entry: unknown): unknown[] => Array.from({ length: count }, () => entry);
const button = { label: 'x', destination: 'https://example.com/' };
const social = { platform: 'github', url: 'https://example.com/' };
const field = { type: 'text', label: 'x' };
const menuWith = (item: object, rest: object = {}) => ({
  sections: [
    { name: 'x', items: [{ name: 'y' }] },
    { name: 'x', items: [{ name: 'x', ...item }] },
  ],
  ...rest,
});

test('a form with more than 100,000 characters of options is refused', async () => {
  const options = Array.from({ length: 100 }, (_, at) => String(at).padEnd(200, '"'));
  const formOf = (count: number) => ({
    name: 'x',
    fields: many(count, { type: 'radio', label: 'x', options }),
  });
  expect(await own.call('POST', forms, formOf(6))).toMatchObject({
    status: 422,
    body: { error: 'fields must have at most 100000 characters of options in all; given: 120000' },
  });
  expect((await own.call('POST', forms, formOf(5))).status).toBe(201);
});

test.each<[path: string, body: object, status: number, message: string | RegExp]>([
  [pages, { name: 'x'.repeat(121) }, 422, 'name must have at most 120 characters; given: 121'],
  [pages, { name: ' \u200b\u202e' }, 422, /^name must have a visible character; given: /],
  [pages, { name: 7 }, 400, 'name must be a string; given: 7'],
  [pages, { status: 'deleted' }, 422, "status must be one of active, paused; given: 'deleted'"],
  [pages, { headline: 'x'.repeat(201) }, 422, 'headline must have at most 200 characters; given: 201'],
  [pages, { body: 'x'.repeat(4001) }, 422, 'body must have at most 4000 characters; given: 4001'],
  [
    pages,
    { heroImageUrl: 'data:image/png;base64,AA==' },
    422,
    /^heroImageUrl must be an absolute http or https URL/,
  ],
  [
    pages,
    { avatarUrl: `https://a.example/${'x'.repeat(2000)}` },
    422,
    /^avatarUrl must have at most 2000 characters/,
  ],
  [pages, { buttons: many(13, button) }, 422, 'buttons must have at most 12 entries; given: 13'],
  [
    pages,
    { buttons: many(10_000, 0) },
    400,
    'The body must not have more than 2000 fields, values and entries',
  ],
  [
    pages,
    { buttons: [{ ...button, label: '' }] },
    422,
    'buttons[0].label must have at least 1 character; given: 0',
  ],
  [pages, { buttons: [button, { label: 'x' }] }, 400, 'buttons[1].destination is required'],
  [
    pages,
    { buttons: [{ ...button, color: 'red' }] },
    400,
    'buttons[0].color is not a known field; accepted are id, label, destination, hint',
  ],
  [
    pages,
    { buttons: [{ ...button, destination: 'javascript:alert(1)' }] },
    422,
    "buttons[0].destination must be an http:, https:, mailto: or tel: URL; given: 'javascript:alert(1)'",
  ],
  [
    pages,
    { buttons: [{ ...button, id: 'a' }, button, { ...button, id: 'a' }] },
    422,
    "buttons[2].id must not be given twice: buttons[0] has it, too; given: 'a'",
  ],
  [pages, { buttons: [{ ...button, id: '__proto__' }] }, 422, /^buttons\[0\]\.id must be 1 to 64 letters/],
  [pages, { buttons: [{ ...button, id: 'a b' }] }, 422, /^buttons\[0\]\.id must be 1 to 64 letters/],
  [pages, { buttons: [{ ...button, id: '' }] }, 422, /^buttons\[0\]\.id must be 1 to 64 letters/],
  [pages, { socials: many(13, social) }, 422, 'socials must have at most 12 entries; given: 13'],
  [
    pages,
    { socials: [{ ...social, platform: 'myspace' }] },
    422,
    /^socials\[0\]\.platform must be one of website, twitter/,
  ],
  [
    pages,
    { socials: [{ ...social, url: 'mailto:a@b.example' }] },
    422,
    /^socials\[0\]\.url must be an absolute http or https URL/,
  ],
  [
    pages,
    { socials: [{ platform: 'custom', url: 'https://example.com/' }] },
    400,
    'socials[0].label is required when platform is custom',
  ],
  [
    pages,
    { socials: [{ ...social, iconUrl: 'https://example.com/' }] },
    422,
    'socials[0].iconUrl must not be given unless platform is custom',
  ],
  [
    pages,
    { theme: { background: 'red' } },
    422,
    "theme.background must be a colour such as #1a2b3c; given: 'red'",
  ],
  [pages, { theme: { text: '#ffff' } }, 422, "theme.text must be a colour such as #1a2b3c; given: '#ffff'"],
  [
    pages,
    { theme: { link: '#ffffff' } },
    400,
    'theme.link is not a known field; accepted are name, background, text, accent',
  ],
  ...[pages, forms, menus].map(
    (path) =>
      [
        path,
        { theme: { name: 'Paper' } },
        422,
        "theme.name must be one of paper, ink, market, noir; given: 'Paper'",
      ] as [string, object, number, string],
  ),
  [pages, { theme: { name: 7 } }, 400, 'theme.name must be one of paper, ink, market, noir; given: 7'],
  [pages, { theme: [] }, 400, 'theme must be an object; given: an array'],
  [pages, { pageId: 'page_4nX5cPq7Rk2mQw8Z' }, 400, /^pageId is not a known field/],
  [pages, { viewCount: 7 }, 400, /^viewCount is not a known field/],
  [forms, { fields: many(51, field) }, 422, 'fields must have at most 50 entries; given: 51'],
  [forms, { fields: [{ label: 'x' }] }, 400, 'fields[0].type is required'],
  [
    forms,
    { fields: [{ ...field, type: 'file' }] },
    422,
    /^fields\[0\]\.type must be one of text, email, phone, textarea, select, radio, checkbox/,
  ],
  [
    forms,
    { fields: [field, { ...field, type: 'select' }] },
    400,
    'fields[1].options is required when type is select, with at least one option',
  ],
  [
    forms,
    { fields: [{ ...field, type: 'radio', options: [] }] },
    422,
    /^fields\[0\]\.options is required when type is radio/,
  ],
  [
    forms,
    { fields: [{ ...field, options: ['a'] }] },
    422,
    'fields[0].options must not be given when type is text',
  ],
  [
    forms,
    { fields: [{ ...field, type: 'radio', options: ['a', ''] }] },
    422,
    /^fields\[0\]\.options\[1\] must have at least 1 character/,
  ],
  [
    forms,
    { fields: [{ ...field, type: 'radio', options: ['a', 'a'] }] },
    422,
    "fields[0].options[1] must not be given twice; given: 'a'",
  ],
  [
    forms,
    { fields: [{ ...field, type: 'radio', options: many(101, 'a') }] },
    422,
    'fields[0].options must have at most 100 entries; given: 101',
  ],
  [
    forms,
    { fields: [{ ...field, maxLength: 8001 }] },
    422,
    'fields[0].maxLength must be a whole number from 1 to 8000; given: 8001',
  ],
  [forms, { fields: [{ ...field, maxLength: 0 }] }, 422, /^fields\[0\]\.maxLength must be a whole number/],
  [forms, { fields: [{ ...field, required: 'yes' }] }, 400, /^fields\[0\]\.required must be true or false/],
  [
    forms,
    { fields: [{ ...field, helpText: 'x'.repeat(501) }] },
    422,
    /^fields\[0\]\.helpText must have at most 500/,
  ],
  [
    forms,
    {
      fields: [
        { ...field, id: 'a' },
        { ...field, id: 'a' },
      ],
    },
    422,
    "fields[1].id must not be given twice: fields[0] has it, too; given: 'a'",
  ],
  [forms, { buttons: [button] }, 400, /^buttons is not a known field/],
  [
    forms,
    { redirectAfterSubmit: 'javascript:alert(1)' },
    422,
    /^redirectAfterSubmit must be an absolute http or https URL/,
  ],
  [
    forms,
    { logoUrl: `https://a.example/${'x'.repeat(500)}` },
    422,
    /^logoUrl must have at most 500 characters/,
  ],
  [forms, { submitLabel: 'x'.repeat(61) }, 422, 'submitLabel must have at most 60 characters; given: 61'],
  [
    menus,
    { sections: many(21, { name: 'x', items: [] }) },
    422,
    'sections must have at most 20 entries; given: 21',
  ],
  [
    menus,
    { sections: [{ name: 'x', items: many(51, { name: 'x' }) }] },
    422,
    'sections[0].items must have at most 50 entries; given: 51',
  ],
  [menus, { sections: [{ name: 'x' }] }, 400, 'sections[0].items is required'],
  [menus, { sections: [{ items: [] }] }, 400, 'sections[0].name is required'],
  [
    menus,
    menuWith({ price: 'x'.repeat(31) }),
    422,
    'sections[1].items[0].price must have at most 30 characters; given: 31',
  ],
  [
    menus,
    menuWith({ dietary: ['\u0130'.repeat(40)] }),
    422,
    'sections[1].items[0].dietary[0] must have at most 40 characters in lower case, and has 80 there; given: 40',
  ],
  [menus, menuWith({ price: 5.2 }), 400, 'sections[1].items[0].price must be a string; given: 5.2'],
  [
    menus,
    menuWith({ allergens: 'nuts' }),
    400,
    "sections[1].items[0].allergens must be an array; given: 'nuts'",
  ],
  [
    menus,
    menuWith({ allergens: ['x'.repeat(41)] }),
    422,
    /^sections\[1\]\.items\[0\]\.allergens\[0\] must have at most 40/,
  ],
  [
    menus,
    menuWith({ dietary: many(31, 'x') }),
    422,
    'sections[1].items[0].dietary must have at most 30 entries; given: 31',
  ],
  [
    menus,
    menuWith({ dietary: [' '] }),
    422,
    /^sections\[1\]\.items\[0\]\.dietary\[0\] must have a visible character/,
  ],
  [
    menus,
    menuWith({ customTags: { wine: ['x'] } }),
    422,
    "sections[1].items[0].customTags.wine must be the id of a category in tagCategories; given: 'wine'",
  ],
  [
    menus,
    menuWith({ customTags: { constructor: ['x'] } }),
    422,
    /^sections\[1\]\.items\[0\]\.customTags\.constructor must be the id of a category/,
  ],
  [
    menus,
    menuWith({ customTags: { 'a b': ['x'] } }),
    422,
    /^sections\[1\]\.items\[0\]\.customTags\.a b must be 1 to 64 letters/,
  ],
  [
    menus,
    menuWith({ customTags: { wine: 'red' } }),
    400,
    /^sections\[1\]\.items\[0\]\.customTags\.wine must be an array/,
  ],
  [
    menus,
    menuWith({ customTags: Object.fromEntries(many(11, 0).map((_, n) => [`c${n}`, []])) }),
    422,
    'sections[1].items[0].customTags must have at most 10 fields; given: 11',
  ],
  [menus, menuWith({ customTags: [] }), 400, /^sections\[1\]\.items\[0\]\.customTags must be an object/],
  [
    menus,
    { tagCategories: many(11, { name: 'x', values: [] }) },
    422,
    'tagCategories must have at most 10 entries; given: 11',
  ],
  [
    menus,
    { tagCategories: [{ name: 'x', values: many(31, 'x') }] },
    422,
    /^tagCategories\[0\]\.values must have at most 30 entries/,
  ],
  [menus, { tagCategories: [{ name: 'x' }] }, 400, 'tagCategories[0].values is required'],
  [
    menus,
    { tagCategories: many(2, { id: 'a', name: 'x', values: [] }) },
    422,
    "tagCategories[1].id must not be given twice: tagCategories[0] has it, too; given: 'a'",
  ],
  [
    menus,
    { sections: many(2, { name: 'x', items: [{ id: 'a', name: 'x' }] }) },
    422,
    "sections[1].items[0].id must not be given twice: sections[0].items[0] has it, too; given: 'a'",
  ],
  [menus, { footer: 'x'.repeat(301) }, 422, 'footer must have at most 300 characters; given: 301'],
])('%s %j is %i by name, also by PATCH', async (path, body, status, message) => {
  const created = await own.call('POST', path, { name: 'x', ...body });
  const expected = [status, typeof message === 'string' ? message : expect.stringMatching(message)];
  expect([created.status, errorBody.parse(created.body).error]).toEqual(expected);
  const patched = await own.call('PATCH', untouched.get(path)!.url, body);
  expect([patched.status, errorBody.parse(patched.body).error]).toEqual(expected);
});

test('rejected changes change nothing', async () => {
  for (const { url, as } of untouched.values()) expect((await own.call('GET', url)).body).toEqual(as);
});

/** Every text field of each kind, as a body that sets it. */
const texts: [path: string, body: (text: string) => object][] = [
  [pages, (text) => ({ name: text })],
  [pages, (text) => ({ headline: text })],
  [pages, (text) => ({ subheadline: text })],
  [pages, (text) => ({ body: text })],
  [pages, (text) => ({ buttons: [{ ...button, label: text }] })],
  [pages, (text) => ({ buttons: [{ ...button, hint: text }] })],
  [pages, (text) => ({ socials: [{ ...social, label: text }] })],
  [forms, (text) => ({ description: text })],
  [forms, (text) => ({ thankYouMessage: text })],
  [forms, (text) => ({ submitLabel: text })],
  [forms, (text) => ({ fields: [{ ...field, label: text }] })],
  [forms, (text) => ({ fields: [{ ...field, helpText: text }] })],
  [forms, (text) => ({ fields: [{ ...field, placeholder: text }] })],
  [forms, (text) => ({ fields: [{ ...field, type: 'select', options: [text] }] })],
  [menus, (text) => ({ footer: text })],
  [menus, (text) => ({ sections: [{ name: text, items: [] }] })],
  [menus, (text) => ({ sections: [{ name: 'x', description: text, items: [] }] })],
  [menus, (text) => menuWith({ name: text })],
  [menus, (text) => menuWith({ description: text })],
  [menus, (text) => menuWith({ price: text })],
  [menus, (text) => menuWith({ allergens: [text] })],
  [
    menus,
    (text) =>
      menuWith({ customTags: { a: [text] } }, { tagCategories: [{ id: 'a', name: 'x', values: [] }] }),
  ],
  [menus, (text) => ({ tagCategories: [{ name: text, values: [] }] })],
  [menus, (text) => ({ tagCategories: [{ name: 'x', values: [text] }] })],
];

/** The fewest bodies that put the text in all of these places. Fields of different names share a body. */
const bodiesWith = (text: string): [path: string, body: object][] => {
  const bodies: [string, object][] = [];
  for (const [path, bodyOf] of texts) {
    const fields = bodyOf(text);
    const fitting = bodies.find(
      ([of, body]) => of === path && !Object.keys(fields).some((key) => key in body),
    );
    if (fitting) Object.assign(fitting[1], fields);
    else bodies.push([path, fields]);
  }
  return bodies.map(([path, body]) => [path, { name: 'x', ...body }]);
};

describe('a text', () => {
  test.each([
    ['a\u0000b', texts],
    ['a\ud800b', texts],
    // Rejected by the same rule as NUL, which is tested everywhere.
    ['a\u001bb', texts.slice(0, 1)],
    ['a\u0085b', texts.slice(0, 1)],
    ['\udc00', texts.slice(0, 1)],
  ] as const)(
    'that cannot be stored and shown everywhere, %j, is rejected in every field',
    async (text, places) => {
      for (const [path, bodyOf] of places) {
        const { status, body } = await own.call('POST', path, { name: 'x', ...bodyOf(text) });
        expect([status, errorBody.parse(body).error]).toEqual([
          422,
          expect.stringContaining(' must not contain control characters'),
        ]);
      }
    },
  );

  test.each(['<script>alert(1)</script>', '"><img src=x>', "'; --", '\u202ered\u2066', '{{7*7}}', '🙂 é'])(
    'is stored and answered as it was sent: %j',
    async (text) => {
      const workspace = await plane.workspace();
      for (const [path, sent] of bodiesWith(text)) {
        const { status, body } = await workspace.call('POST', path, sent);
        expect([status, body]).toMatchObject([201, sent]);
      }
    },
  );
});

test('a field named __proto__ is rejected however it is escaped, and is set on no other object', async () => {
  for (const name of ['__proto__', '\\u005f_proto__', '__pr\\u006fto__'])
    for (const [path, body] of [
      [pages, `{"name": "x", "${name}": {"status": "paused"}}`],
      [pages, `{"name": "x", "theme": {"${name}": {"text": "#000000"}}}`],
      [
        menus,
        `{"name": "x", "sections": [{"name": "x", "items": [{"name": "x", "customTags": {"${name}": ["x"]}}]}]}`,
      ],
    ] as const) {
      const answer = await own.call('POST', path, body);
      expect([answer.status, answer.body]).toMatchObject([
        400,
        { error: expect.stringMatching(/^__proto__ is not a known field/) },
      ]);
    }
  expect(Object.keys(Object.prototype)).toEqual([]);
});

test('ids that are property names of every object are ordinary ids', async () => {
  const names = ['constructor', 'toString', 'hasOwnProperty', 'valueOf'];
  const categories = names.map((id) => ({ id, name: id, values: ['x'] }));
  const item = {
    id: 'constructor',
    name: 'x',
    customTags: Object.fromEntries(names.map((id) => [id, ['x']])),
  };
  const sent = { sections: [{ name: 'x', items: [item] }], tagCategories: categories };
  const { status, body } = await own.call('POST', menus, { name: 'x', ...sent });
  expect([status, body]).toMatchObject([201, sent]);
  const fields = names.map((id) => ({ ...field, id }));
  expect(await own.call('POST', forms, { name: 'x', fields })).toMatchObject({
    status: 201,
    body: { fields },
  });
});

describe('customTags refer to categories of the stored menu', () => {
  const category = (id: string) => ({ id, name: id, values: [] });
  const sectionsWith = (...ids: string[]) => [
    { name: 'x', items: [{ name: 'x', customTags: Object.fromEntries(ids.map((id) => [id, ['x']])) }] },
  ];

  const create = async (body: object): Promise<(change: object) => Promise<[number, string | undefined]>> => {
    const created = await own.call('POST', menus, { name: 'x', ...body });
    expect(created.status).toBe(201);
    const { menuId } = created.body as { menuId: string };
    return async (change) => {
      const answer = await own.call('PATCH', `${menus}/${menuId}`, change);
      const { error } = answer.body as { error?: string };
      return [answer.status, error];
    };
  };

  test('a PATCH of only the items may refer only to categories that exist', async () => {
    const patch = await create({ tagCategories: [category('a')] });
    expect(await patch({ sections: sectionsWith('a') })).toEqual([200, undefined]);
    expect(await patch({ sections: sectionsWith('a', 'b') })).toEqual([
      422,
      "sections[0].items[0].customTags.b must be the id of a category in tagCategories; given: 'b'",
    ]);
    expect(await patch({ sections: sectionsWith('b'), tagCategories: [category('b')] })).toEqual([
      200,
      undefined,
    ]);
  });

  test('a PATCH of only the categories keeps all categories that items refer to', async () => {
    const patch = await create({ sections: sectionsWith('a', 'b'), tagCategories: ['a', 'b'].map(category) });
    const missing =
      "tagCategories must have a category with the id 'b': sections[0].items[0].customTags.b is of it";
    expect(await patch({ tagCategories: [category('a')] })).toEqual([422, missing]);
    expect(await patch({ tagCategories: null })).toEqual([
      422,
      missing.replaceAll("'b'", "'a'").replace('Tags.b', 'Tags.a'),
    ]);
    expect(await patch({ tagCategories: ['b', 'c', 'a'].map(category) })).toEqual([200, undefined]);
    expect(await patch({ sections: [], tagCategories: [] })).toEqual([200, undefined]);
  });

  test('concurrent PATCHes of items and categories never leave a tag without its category', async () => {
    for (let round = 0; round < 10; round++) {
      const patch = await create({ tagCategories: [category('a')] });
      const answers = await Promise.all([
        patch({ sections: sectionsWith('a') }),
        patch({ tagCategories: [] }),
      ]);
      expect(answers.map(([status]) => status).sort()).toEqual([200, 422]);
    }
  });
});
