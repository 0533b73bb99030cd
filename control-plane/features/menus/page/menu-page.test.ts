/** A menu as HTML. */
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import type { MenuContent, MenuItem } from '#schemas/api/menus.ts';
import type { RenderedPage } from '#shared/pages/shell.ts';
import { decodeQr } from '../../../../deploy/testing/decode.ts';
import type { UploadedImage } from '../../hosted/page-kind.ts';
import { menuPage } from './menu-page.ts';
import { emptyMenu, largestMenu, usualMenu } from './testing/samples.ts';

const url = 'https://qr.example.com/m/menu_4nX5cPq7Rk2mQw8Z';

const item = (name: string, fields: Partial<MenuItem> = {}): MenuItem => ({
  id: name,
  name,
  allergens: [],
  dietary: [],
  customTags: {},
  ...fields,
});

const renderPage = async (
  content: Partial<MenuContent>,
  query = '',
  images: ReadonlyMap<string, UploadedImage> = new Map(),
): Promise<RenderedPage> => {
  const whole = { ...emptyMenu, ...content };
  const page = {
    id: 'menu_4nX5cPq7Rk2mQw8Z',
    kind: 'menu',
    workspaceId: 'ws_1',
    name: 'Evening menu',
    status: 'active',
    content: whole,
    version: 1,
    createdAt: new Date(0),
    updatedAt: new Date(0),
  } as const;
  const variant = menuPage.variantOf!(new URLSearchParams(query), menuPage.choicesOf!(whole));
  return menuPage.render(page, { url, variant, images });
};

const render = async (content: Partial<MenuContent>, query = ''): Promise<string> =>
  (await renderPage(content, query)).html;

/** Names of the items that are not hidden. */
const shownNames = (html: string): string[] =>
  [...html.matchAll(/<li(?: data-t=[\d,]+)?>(?:<span[\s\S]*?<\/span>)?<h3>([^<]*)/g)].map(
    ([, name]) => name!,
  );

const sections = [
  {
    name: 'Starters',
    items: [
      item('Soup', { dietary: ['vegan'], allergens: ['celery'], price: '6 €' }),
      item('Ham', { allergens: ['nuts', 'house blend'] }),
    ],
  },
  { name: 'Sweets', items: [item('Cake', { allergens: ['nuts'], dietary: ['grandma’s'] })] },
];

test("a page whose language is unclear has its own words in the visitor's, and states none for the owner's texts", async () => {
  const page = (name: string) => ({
    id: 'menu_4nX5cPq7Rk2mQw8Z',
    kind: 'menu' as const,
    workspaceId: 'ws_1',
    name,
    status: 'active' as const,
    content: { ...emptyMenu, sections: [{ name: 'Pizza', items: [item('Margherita')] }] },
    version: 1,
    createdAt: new Date(0),
    updatedAt: new Date(0),
  });
  const context = { url, variant: '', images: new Map(), visitorLanguage: 'it' } as const;
  const unclear = await menuPage.render(page('Da Nino'), context);
  expect(unclear.html).toContain('<html lang="it" dir="ltr">');
  expect(unclear.html).toContain('<body lang="">');
  expect(unclear.html).not.toContain('inLanguage');
  const clear = await menuPage.render(page('Unsere Speisekarte'), context);
  expect(clear.html).toContain('<html lang="de" dir="ltr">');
  expect(clear.html).toContain('<body>');
});

describe('sections', () => {
  test('are linked to if there are at least two', async () => {
    const html = await render({ sections });
    expect(html).toContain('<a href="#s1" dir=auto>Starters</a>');
    expect(html).toContain('<section id=s2>');
    expect(await render({ sections: sections.slice(0, 1) })).not.toContain('aria-label="Sections');
  });

  test('without items are shown only for their description', async () => {
    const empty = [
      { name: 'Soon', description: 'In spring', items: [] },
      { name: 'Nothing', items: [] },
    ];
    const html = await render({ sections: [...sections, ...empty] });
    expect(html).toContain('In spring');
    expect(html).not.toContain('Nothing');
    expect(await render({ sections: [...sections, ...empty] }, 'diet=vegan')).toContain(
      '<section id=s3 hidden>',
    );
  });

  test('a menu without items says so', async () => {
    expect(await render({})).toContain('There is nothing on this menu yet.');
    const soon = [{ name: 'Mains', description: 'Back in May', items: [] }];
    expect(await render({ sections: soon })).not.toContain('There is nothing');
    expect(await render({ sections })).not.toContain('There is nothing');
  });
});

test('addresses in the footer and in section descriptions are links', async () => {
  const described = [{ name: 'Soon', description: 'Ask info@shop.example', items: [] }];
  const html = await render({ sections: described, footer: 'More: https://shop.example' });
  expect(html).toContain('href="mailto:info@shop.example"');
  expect(html).toContain('<a href="https://shop.example" rel="noopener nofollow ugc" dir="ltr">');
});

describe('a filter', () => {
  test('hides items, sections that become empty, and links to these', async () => {
    const html = await render({ sections }, 'without=nuts');
    expect(shownNames(html)).toEqual(['Soup']);
    expect(html).toContain('<section id=s2 hidden>');
    expect(html).toContain('<a href="#s2" dir=auto hidden>');
    expect(html).toContain('Showing 1 of 3</p>');
    expect(html).toContain('name=without value="nuts" checked>');
  });

  test('that matches nothing says so', async () => {
    const html = await render({ sections }, 'diet=vegan&without=celery');
    expect(shownNames(html)).toEqual([]);
    expect(html).toMatch(/<p id=nothing>No dish matches/);
    expect(await render({ sections })).toMatch(/<p id=nothing hidden>/);
  });

  test('is not part of the URL that search engines list', async () => {
    expect(await render({ sections }, 'diet=vegan')).toContain(`<link rel="canonical" href="${url}">`);
  });

  test('is left out if there is nothing to filter by, and so is the script if there is one section', async () => {
    const html = await render({ sections: [{ name: 'Drinks', items: [item('Water')] }] });
    expect(html).not.toMatch(/<form|<nav aria-label="Sections|<script>/);
  });
});

describe('tags', () => {
  test('are named in the language of the page; unknown ones are shown as they are', async () => {
    const subheadline = 'Wir kochen jeden Tag frisch mit Zutaten aus der Region.';
    const html = await render({ sections, subheadline });
    expect(html).toContain('<html lang="de"');
    expect(html).toContain('<p class=allergens>Allergene: Schalenfrüchte, house blend');
    expect(html).toContain('<li>grandma’s');
    expect(await render({ sections })).toContain('<p class=allergens>Allergens: Nuts, house blend');
  });

  test('of diets are chips, and values of the menu’s own categories are on their own line, in the order of the categories', async () => {
    const tagCategories = ['for', 'where'].map((id) => ({ id, name: id, values: [] }));
    const customTags = { where: ['taking away', 'the garden'], for: ['children'] };
    const htmlOf = (fields: Partial<MenuItem>) =>
      render({ tagCategories, sections: [{ name: 'All', items: [item('Soup', fields)] }] });
    const values = '<ul class=values><li>for: Children<li>where: Taking away, The garden</ul>';
    expect(await htmlOf({ dietary: ['vegan'], customTags })).toContain(
      `<h3>Soup</h3><ul class=tags><li>Vegan</ul>${values}`,
    );
    expect(await htmlOf({ customTags })).toContain(`<h3>Soup</h3>${values}`);
    expect(await htmlOf({})).not.toContain('<ul class=values>');
  });

  test('do not say that a vegan dish is vegetarian', async () => {
    const htmlOf = (dietary: string[]) =>
      render({ sections: [{ name: 'All', items: [item('Soup', { dietary })] }] });
    expect(await htmlOf(['vegetarian', 'vegan', 'spicy'])).toContain(
      '<ul class=tags><li>Vegan<li>Spicy</ul>',
    );
    expect(await htmlOf(['vegetarian'])).toContain('<ul class=tags><li>Vegetarian</ul>');
  });

  test('never say that a dish is free of something: every text of an allergen filter sends guests to the staff', async () => {
    const html = await render({ sections }, 'without=nuts');
    expect(html).toContain('Hide dishes that list');
    expect(html).toMatch(/<p id=caution class=caution>[^<]*may still contain it: please ask the staff\./);
    expect(html).toMatch(/<fieldset data-rule=none>[\s\S]*ask the staff\.<\/p><\/fieldset>/);
    expect(await render({ sections }, 'diet=vegan')).toContain('<p id=caution class=caution hidden>');
  });
});

describe('the page', () => {
  const evil = `</script></title><img src=x onerror=alert(1)>"'&`;

  test('escapes every text of an owner', async () => {
    const { html } = await renderPage({
      headline: evil,
      subheadline: evil,
      footer: evil,
      heroImageUrl: `https://example.com/?"'><b>`,
      sections: [1, 2].map(() => ({
        name: evil,
        description: evil,
        items: [
          item(evil, {
            description: evil,
            price: evil,
            allergens: [evil],
            dietary: [evil],
            customTags: { a: [evil] },
            imageUrl: `https://example.com/?"'><b>`,
          }),
        ],
      })),
      tagCategories: [{ id: 'a', name: evil, values: [evil] }],
      buttons: [{ id: 'a', label: evil, destination: 'javascript:alert(1)', hint: evil }],
    });
    const tags = html
      .replace(/<script type="application[\s\S]*?<\/script>|<script>[\s\S]*?<\/script>/g, '')
      .replace(/"[^"]*"/g, '""');
    expect(html).not.toContain('href="javascript:');
    expect(tags).not.toMatch(/<img src=x|<b>|<[^>]*\sonerror/);
    const data = /<script type="application\/ld\+json">([\s\S]*?)<\/script>/.exec(html)![1]!;
    expect(JSON.parse(data)).toMatchObject({ name: evil });
  });

  test('of a usual menu of sixty items has at most 33 KB of HTML and CSS', async () => {
    const html = await render(usualMenu);
    expect([...html.matchAll(/<h3>/g)]).toHaveLength(60);
    const withoutScripts = html.replace(/<script[^>]*>[\s\S]*?<\/script>/g, '');
    expect(Buffer.byteLength(withoutScripts)).toBeLessThanOrEqual(33 * 1024);
    expect(Buffer.byteLength(html)).toBeLessThanOrEqual(48 * 1024);
  });

  test('of a thousand items has at most 200 bytes of markup per item', async () => {
    const html = await render(largestMenu);
    const list = html.slice(html.indexOf('<section'), html.lastIndexOf('</section>'));
    expect(list.length / 1000).toBeLessThan(200);
  });

  test('reserves the place of every picture', async () => {
    const html = await render({
      sections: [{ name: 'A', items: [item('Soup', { imageUrl: 'https://a.example/x' })] }],
    });
    expect(html).toMatch(
      /<span class="pic side"><img src="https:\/\/a.example\/x" alt=""[^>]*referrerpolicy="no-referrer" loading="lazy">/,
    );
    expect(html).toMatch(/\.side\{[^}]*inline-size:5rem;block-size:5rem/);
  });

  test('requests the pictures of its hero, items and socials, each once', () => {
    const imageUrl = 'https://a.example/item';
    const content: MenuContent = {
      ...emptyMenu,
      heroImageUrl: 'https://a.example/hero',
      sections: [{ name: 'A', items: [item('Soup', { imageUrl }), item('Ham', { imageUrl }), item('Tea')] }],
      socials: [
        {
          id: 'a',
          platform: 'custom',
          url: 'https://b.example',
          label: 'B',
          iconUrl: 'https://a.example/icon',
        },
      ],
    };
    expect(menuPage.imageUrls(content)).toEqual([
      'https://a.example/hero',
      imageUrl,
      'https://a.example/icon',
    ]);
  });

  test('is titled with the menu’s name if there is no headline', async () => {
    const html = await render({});
    expect(html).toContain('<title>Evening menu</title>');
    expect(html).toMatch(/<h1 [^>]*>Evening menu<\/h1>/);
  });

  test('ends in print with its URL, as text and as a readable code', async () => {
    const html = await render({ sections }, 'diet=vegan');
    expect(html).toContain(`<span>This menu online:<br><bdi>${url}</bdi></span>`);
    const [, code] = /<p class=online><svg ([\s\S]*?<\/svg>)/.exec(html)!;
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400" ${code!.replace(/=(#000|true)/g, '="$1"')}`;
    const png = await sharp(Buffer.from(svg)).flatten({ background: '#fff' }).png().toBuffer();
    expect(await decodeQr(png)).toBe(url);
  });
});

test('the largest menu is rendered in steps that let other work run', async () => {
  const tags = (from: number) => Array.from({ length: 30 }, (_, at) => `${'<'.repeat(20)}${from + at}`);
  const large = Array.from({ length: 20 }, (_, at) => ({
    name: `${at}`,
    items: Array.from({ length: 50 }, (_, index) => {
      const number = (at * 50 + index) * 30;
      return item('&'.repeat(120), {
        description: "'".repeat(500),
        allergens: tags(number),
        dietary: tags(number),
      });
    }),
  }));
  let iterations = 0;
  let isDone = false;
  const take = (): void => {
    iterations++;
    if (!isDone) setImmediate(take);
  };
  setImmediate(take);
  const html = await render({ sections: large });
  isDone = true;
  expect(html.length).toBeGreaterThan(5_000_000);
  expect(iterations).toBeGreaterThan(3);
});
