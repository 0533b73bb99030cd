/** Drafts, with a server in place of a model that says what a test wants it to say. */
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { draftedLooks, draftedMenu, draftedPage } from '#schemas/api/ai.ts';
import { startTestControlPlane, type TestControlPlane, type Workspace } from '../../testing/control-plane.ts';
import { faint, look, luna, menuAnswer, pageAnswer } from './testing/answers.ts';
import {
  ends,
  fails,
  floods,
  type ModelServer,
  says,
  startModelServer,
  trickles,
} from './testing/model-server.ts';

let plane: TestControlPlane;
let workspace: Workspace;
let model: ModelServer;
let addresses = 0;

beforeAll(async () => {
  model = await startModelServer();
  plane = await startTestControlPlane({
    environment: {
      ...{ AI_URL: model.url, AI_MODEL: 'drafter', AI_KEY: 'sk-of-the-operator', AI_TIMEOUT_S: '5' },
      TRUSTED_PROXIES: '127.0.0.1',
    },
  });
  workspace = await plane.workspace();
});

/** From an address of its own: the limit by address is not the subject. */
const ask = (what: 'style' | 'page' | 'menu', body: object, { call } = workspace) =>
  call('POST', `/api/ai/${what}`, body, { 'x-forwarded-for': `2001:db8:${(++addresses).toString(16)}::1` });

describe('a draft', () => {
  test('of a page is the body of a create, with what the text has', async () => {
    model.answer(says(pageAnswer));
    const { status, body } = await ask('page', { text: luna });
    expect(status).toBe(200);
    const { draft, warnings } = draftedPage.parse(body);
    expect(warnings).toEqual([]);
    expect(draft.buttons?.map(({ destination }) => destination)).toEqual([
      'https://luna.example/order',
      'mailto:hello@luna.example',
      'tel:+49301234567',
    ]);
    const made = await workspace.call('POST', '/api/qr/landing-pages', draft);
    expect(made).toMatchObject({ status: 201, body: { headline: 'Luna bakery', theme: { name: 'paper' } } });
  });

  test('of a menu has only prices of the text, and says that allergens are to be checked', async () => {
    model.answer(says(menuAnswer));
    const { status, body } = await ask('menu', { text: 'Starters: soup (celery) 6.50, bruschetta 7' });
    expect(status).toBe(200);
    const { draft, warnings } = draftedMenu.parse(body);
    expect(draft.sections?.[0]?.items).toMatchObject([
      { price: '€ 6,50', allergens: ['celery'] },
      { name: 'Bruschetta' },
    ]);
    expect(draft.sections?.[0]?.items[1]).not.toHaveProperty('price');
    expect(warnings).toEqual([
      expect.stringMatching(/^allergens and diets were read by a model/),
      'sections[0].items[1].price was left out: your text does not have it',
    ]);
    expect((await workspace.call('POST', '/api/qr/menus', draft)).status).toBe(201);
  });

  test('of looks is proven, and one that is not read is replaced by the nearest that is', async () => {
    model.answer(says({ looks: [look, faint, { ...look, name: 'Oven' }] }));
    const { status, body } = await ask('style', { words: 'a bakery' });
    expect(status).toBe(200);
    const { looks } = draftedLooks.parse(body);
    expect(looks.map(({ name, changes }) => [name, changes === null])).toEqual([
      ['Crust', true],
      ['Faint', false],
      ['Oven', true],
    ]);
    for (const { style } of looks)
      expect(
        (await workspace.call('POST', '/api/qr/codes', { data: 'https://example.com/', ...style })).status,
      ).toBe(201);
  });

  test('of looks by a logo sends its colours to the model, and not the logo', async () => {
    model.answer(says({ looks: [look, look, look] }));
    const red = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#cc0000' } })
      .png()
      .toBuffer();
    const { status } = await ask('style', { image: red.toString('base64') });
    expect(status).toBe(200);
    expect(JSON.parse(model.received[0]!.body.messages[1]!.content)).toEqual({
      colorsOfTheLogo: ['#cc0000'],
    });
    expect(model.received[0]!.text).not.toContain(red.toString('base64').slice(0, 40));
  });

  test('sends the text as data, the key of the operator, and nothing of the workspace', async () => {
    model.answer(says(pageAnswer));
    await ask('page', { text: luna });
    const [{ url, authorization, body, text }] = model.received as [(typeof model.received)[0]];
    expect([url, authorization, body.model]).toEqual([
      '/v1/chat/completions',
      'Bearer sk-of-the-operator',
      'drafter',
    ]);
    expect(body.messages.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(JSON.parse(body.messages[1]!.content)).toEqual({ text: luna });
    expect(body.response_format).toMatchObject({
      type: 'json_schema',
      json_schema: { name: 'landing_page', strict: true },
    });
    for (const secret of [workspace.apiKey, workspace.workspaceId]) expect(text).not.toContain(secret);
  });

  test('with a test key is made as well', async () => {
    model.answer(says(pageAnswer));
    const { body } = await workspace.call('POST', '/api/qr/keys', {
      mode: 'test',
      permissions: ['pages:write'],
    });
    const call = plane.callWith((body as { apiKey: string }).apiKey);
    const answer = await ask('page', { text: luna }, { ...workspace, call });
    expect([answer.status, answer.headers.get('waymark-mode')]).toEqual([200, 'test']);
  });
});

test('nothing of an answer carries scripts, pictures, or links that the text does not have', async () => {
  model.answer(
    says({
      ...pageAnswer,
      headline: '<scr<script>ipt>alert(1)</script>Luna <img src=x onerror=alert(1)>',
      body: 'Read https://evil.example/a, www.evil.example or evil.com/x and write to me@evil.example or @evil.com. Luna.example is ours.',
      heroImageUrl: 'https://evil.example/pixel.png',
      status: 'paused',
      buttons: [
        ...pageAnswer.buttons,
        { label: 'Evil', destination: 'https://evil.example/', hint: null },
        { label: 'Script', destination: 'javascript:alert(1)', hint: null },
        { label: 'Other', destination: 'https://luna.example/other', hint: null },
        { label: 'Mail', destination: 'mailto:hello@luna.example?bcc=me@evil.example', hint: null },
      ],
      socials: [
        {
          platform: 'custom',
          url: 'https://luna.example/order',
          label: 'Us',
          iconUrl: 'https://evil.example/i',
        },
      ],
    }),
  );
  const { status, body } = await ask('page', { text: luna });
  expect(status).toBe(200);
  const { draft, warnings } = draftedPage.parse(body);
  expect(JSON.stringify(draft)).not.toMatch(/evil|script|onerror|</i);
  expect(draft.body).toContain('Luna.example is ours.');
  expect(draft.buttons).toHaveLength(3);
  expect(warnings).toEqual(
    expect.arrayContaining([
      'headline: markup was left out',
      'buttons[3] was left out: your text does not have its link',
    ]),
  );
});

describe('an answer that cannot be used', () => {
  test('is sent back with its faults once, and then corrected', async () => {
    model.answer(
      says({ ...pageAnswer, name: '' }),
      says(`Here you are:\n\`\`\`json\n${JSON.stringify(pageAnswer)}\n\`\`\``),
    );
    expect((await ask('page', { text: luna })).status).toBe(200);
    expect(model.received).toHaveLength(2);
    const { messages } = model.received[1]!.body;
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
    expect(JSON.parse(messages[3]!.content)).toMatchObject({ faults: [expect.stringMatching(/^name /)] });
  });

  test.each([
    ['no JSON', says('I am sorry, I cannot.')],
    ['broken JSON', says('{"name": "Luna", "buttons": [')],
    ['a list', says('[1, 2]')],
    ['another shape', says({ ...pageAnswer, buttons: 'none' })],
    ['a field that there is not', says({ ...pageAnswer, rating: 5 })],
    ['too much structure', says(`${'['.repeat(5000)}${']'.repeat(5000)}`)],
    ['too long texts', says({ ...pageAnswer, headline: 'x'.repeat(300) })],
  ])('twice, for %s, is 502 and names the fault', async (_, answer) => {
    model.answer(answer);
    const { status, body } = await ask('page', { text: luna });
    expect([status, (body as { error: string }).error]).toEqual([
      502,
      expect.stringMatching(/^The answer of the model cannot be used: ./),
    ]);
    expect(model.received).toHaveLength(2);
  });

  test.each([
    ['a flood', floods, 502, /too large/],
    ['no chat completion', fails(200, {}, { hello: 1 }), 502, /none of chat completions/],
    ['a page of a proxy', fails(200, {}, '<html>'), 502, /not JSON/],
    ['one that breaks off', ends({ content: '{"name": "Lu' }, 'length'), 502, /breaks off/],
    ['an empty one', ends({ content: '' }, 'stop'), 502, /empty/],
    ['a refusal', ends({ content: null, refusal: 'No.' }, 'stop'), 422, /refuses/],
    ['a filtered one', ends({ content: 'x' }, 'content_filter'), 422, /refuses/],
    ['a wrong key', fails(401), 502, /\(401\)/],
    ['a redirect', fails(302, { location: 'https://evil.example/' }), 502, /\(302\)/],
    ['a failure', fails(500), 503, /out of order/],
    ['an endless one', trickles, 504, /in time/],
  ])('of the server, %s, ends after one request', async (_, answer, status, reason) => {
    model.answer(answer);
    const given = await ask('page', { text: luna });
    expect([given.status, (given.body as { error: string }).error]).toEqual([
      status,
      expect.stringMatching(reason),
    ]);
    expect(model.received).toHaveLength(1);
  });

  test('because the server is busy is 503, with the time that the server names', async () => {
    model.answer(fails(429, { 'retry-after': '7' }));
    const { status, headers } = await ask('page', { text: luna });
    expect([status, headers.get('retry-after')]).toEqual([503, '7']);
  });
});

test('a workspace may have eight drafts made and four wait; one more is refused', async () => {
  model.answer(trickles);
  const answers = await Promise.all(Array.from({ length: 13 }, () => ask('page', { text: luna })));
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses).toEqual([
    ...Array.from({ length: 12 }, () => expect.toSatisfy((s) => s === 429 || s >= 503)),
    504,
  ]);
  expect(statuses.filter((status) => status === 429)).toHaveLength(1);
});

test.each([
  [{}, /^words or image is required/],
  [{ words: ' ' }, /^words /],
  [{ image: 'nothing' }, /^image must be/],
])('looks by %j are refused before a model is asked', async (body, reason) => {
  model.answer(fails(500));
  const { status, body: refused } = await ask('style', body);
  expect(status).toBeOneOf([400, 422]);
  expect((refused as { error: string }).error).toMatch(reason);
  expect(model.received).toEqual([]);
});

describe('without AI_URL', () => {
  let bare: TestControlPlane;
  beforeAll(async () => {
    bare = await startTestControlPlane({ environment: { TRUSTED_PROXIES: '127.0.0.1' } });
  });

  test('a draft is 503 and says so, 30 times in an hour from one address, with whatever key', async () => {
    const [first, second] = [await bare.workspace(), await bare.workspace()];
    const from = { 'x-forwarded-for': `198.51.100.${Math.floor(Math.random() * 250)}` };
    const paths = ['style', 'page', 'menu'];
    for (let at = 0; at < 30; at++) {
      const { call } = at % 2 === 0 ? first : second;
      const body = at % 3 === 0 ? { words: 'a bakery' } : { text: luna };
      const answer = await call('POST', `/api/ai/${paths[at % 3]}`, body, from);
      expect(answer).toMatchObject({ status: 503, body: { error: expect.stringContaining('AI_URL') } });
    }
    const refused = await first.call('POST', '/api/ai/page', { text: luna }, from);
    expect([refused.status, refused.headers.get('ratelimit-policy')]).toEqual([429, '30;w=3600']);
    const elsewhere = await first.call(
      'POST',
      '/api/ai/page',
      { text: luna },
      { 'x-forwarded-for': '198.51.100.251' },
    );
    expect(elsewhere.status).toBe(503);
  });

  test('a key without the permission, or a plan without the pages, is refused', async () => {
    const own = await bare.workspace({ plan: 'starter' });
    expect((await own.call('POST', '/api/ai/page', { text: luna })).status).toBe(403);
    const { body } = await own.call('POST', '/api/qr/keys', { permissions: ['codes:read'] });
    const call = bare.callWith((body as { apiKey: string }).apiKey);
    expect((await call('POST', '/api/ai/style', { words: 'a' })).body).toMatchObject({
      permission: 'codes:write',
    });
    expect((await bare.callWith(undefined)('POST', '/api/ai/style', { words: 'a' })).status).toBe(401);
  });
});
