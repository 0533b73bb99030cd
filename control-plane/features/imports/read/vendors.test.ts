/** The exports of each service, as it writes them. */
import { describe, expect, test } from 'vitest';
import { exportFile, inOneStep, linksOf } from '../testing/files.ts';
import { hostsOf } from './hosts.ts';
import { vendors } from './vendors/index.ts';

const read = async (name: string, options = {}) => linksOf(await exportFile(name), options);

test('the CSV of Shlink is read with its dates, titles, tags and visits, oldest link first', async () => {
  const { source, isDetected, links } = await read('shlink.csv');
  expect({ source, isDetected }).toEqual({ source: 'shlink', isDetected: true });
  expect(links.map(({ number, shortLinks }) => [number, shortLinks])).toEqual([
    [3, [{ slug: 'xK3fQ', host: 's.example.com' }]],
    [2, [{ slug: 'menu', host: 's.example.com' }]],
    [4, [{ slug: 'Menu', host: 's.example.com' }]],
    [5, [{ slug: 'team', host: 't.example.com' }]],
    [6, [{ slug: '2024/spring', host: 's.example.com' }]],
  ]);
  expect(links[0]).toMatchObject({
    name: 'Flyer, November',
    createdAt: '2022-11-24T08:15:30.000Z',
    scans: 0,
  });
  expect(links[1]).toEqual({
    number: 2,
    shortLinks: [{ slug: 'menu', host: 's.example.com' }],
    destination: 'https://example.com/menu?table=1&lang=de',
    name: 'Speisekarte "Sommer"',
    tags: ['print', 'Gäste'],
    archived: false,
    createdAt: '2023-03-01T09:00:00.000Z',
    expiresAt: null,
    scans: 412,
    externalId: null,
    refusal: null,
    twin: null,
    warnings: [],
  });
  expect(links[2]).toMatchObject({ twin: { number: 2, by: 'case' }, createdAt: '2024-01-05T17:00:00.000Z' });
});

test('with a host, only its links are taken, and the others are counted', async () => {
  const { links, skipped } = await read('shlink.csv', { host: 't.example.com' });
  expect(links.map(({ shortLinks }) => shortLinks[0]!.slug)).toEqual(['team']);
  expect(skipped).toBe(4);
});

describe('YOURLS', () => {
  test('its table is read from CSV with a header, without one, and from its API', async () => {
    const table = await read('yourls-table.csv');
    expect(table.source).toBe('yourls');
    expect(table.notes).toEqual(['YOURLS writes dates without a time zone: they were read as UTC.']);
    expect(table.links.map((link) => [link.shortLinks[0], link.name, link.createdAt, link.scans])).toEqual([
      [{ slug: '1', host: null }, null, '2018-01-02T00:00:00.000Z', 3],
      [{ slug: 'ozh', host: null }, 'Ozh RICHARD "planetOzh"', '2019-06-14T09:21:07.000Z', 1204],
      [{ slug: 'brochüre', host: null }, 'Broschüre', '2020-02-29T23:59:59.000Z', 55],
      [{ slug: 'robots.txt', host: null }, 'Robots', '2020-03-01T10:00:00.000Z', 2],
    ]);
    const bare = await read('yourls-phpmyadmin.csv', { source: 'yourls' });
    expect(bare.links.map((link) => [link.number, link.destination, link.name, link.scans])).toEqual([
      [1, 'https://ozh.example.org/', 'Ozh; planetOzh', 1204],
      [2, 'https://example.com/flyer?a=1;b=2', null, 88],
    ]);
    const [first] = (await read('yourls-api.json')).links;
    expect(first).toMatchObject({ shortLinks: [{ slug: 'ozh', host: null }], scans: 1204 });
  });

  test('the CSV of its export plugin has slashes around its keywords', async () => {
    const { source, links } = await read('yourls-plugin.csv');
    expect(source).toBe('yourls');
    expect(links.map((link) => [link.shortLinks[0]!.slug, link.destination, link.scans])).toEqual([
      ['ozh', 'https://ozh.example.org/', 1204],
      ['sale', 'https://example.com/sale?items=1,2', 31],
    ]);
  });
});

test('the pages of Kutt are read one after the other; what is protected, expired or banned does not move', async () => {
  const { source, links } = await read('kutt.jsonl');
  expect(source).toBe('kutt');
  expect(links.map((link) => [link.shortLinks[0], link.refusal?.reason ?? null])).toEqual([
    [{ slug: 'xmas', host: 'k.example.com' }, 'expired'],
    [{ slug: 'summer', host: 'k.example.com' }, null],
    [{ slug: 'vip', host: 'k.example.com' }, 'protected'],
    [{ slug: 'aBc9', host: 'kutt.it' }, null],
    [{ slug: 'spam', host: 'k.example.com' }, 'banned'],
  ]);
  expect(links[1]).toMatchObject({
    name: 'Summer poster',
    externalId: '7b9f6a43-6d1a-4d8e-9d7d-1f1d2a8a7c11',
    scans: 921,
    createdAt: '2023-06-01T07:30:00.000Z',
  });
});

test('a list of pages of Bitly is read with every back-half, tags and the archive', async () => {
  const { source, links } = await read('bitly.json');
  expect(source).toBe('bitly');
  expect(links.map((link) => [link.shortLinks.map(({ slug }) => slug), link.archived, link.tags])).toEqual([
    [['2fX0aYq'], false, ['reports', 'print']],
    [['2VbXq9z', 'fair-2019'], true, []],
    [['app'], false, []],
  ]);
  expect(links[0]).toMatchObject({
    externalId: 'bit.ly/2fX0aYq',
    scans: null,
    createdAt: '2016-11-14T17:14:48.000Z',
  });
});

test('the CSV of Dub is read with its ids, tags and the archive', async () => {
  const { source, links } = await read('dub.csv');
  expect(source).toBe('dub');
  expect(links.map((link) => [link.shortLinks[0]!.slug, link.archived, link.tags, link.scans])).toEqual([
    ['handbook', true, [], 7300],
    ['handbook/api', false, [], 12],
    ['mail', false, [], 1],
    ['launch', false, ['campaign', 'print'], 58],
  ]);
  expect(links[3]!.externalId).toBe('link_1JZ8Q2WRYB5Z0X6YQ4D5K7N3M1');
});

test('what is printed with a host of the service cannot move, and each host says what becomes of it', async () => {
  const { links } = await read('bitly.json');
  expect(inOneStep(hostsOf(links, 'go.example.com', vendors.bitly))).toEqual([
    {
      host: 'go.example.com',
      links: 2,
      moves: 'by_dns',
      message: expect.stringContaining('as soon as its DNS'),
    },
    {
      host: 'bit.ly',
      links: 1,
      moves: 'never',
      message:
        'Codes printed with bit.ly only continue if that domain moves by DNS, and it cannot: it belongs to Bitly. They go on leading to Bitly, as long as it lets them.',
    },
  ]);
  const shlink = inOneStep(hostsOf((await read('shlink.csv')).links, null, vendors.shlink));
  expect(shlink.map(({ host, links: count, moves }) => [host, count, moves])).toEqual([
    ['s.example.com', 4, 'other_domain'],
    ['t.example.com', 1, 'other_domain'],
  ]);
  const yourls = inOneStep(hostsOf((await read('yourls-table.csv')).links, 'y.example.com', vendors.yourls));
  expect(yourls).toMatchObject([{ host: null, links: 4, moves: 'unknown' }]);
});

test.each([
  [
    'a file of another service',
    'name,destination\na,https://example.com/\n',
    /^file must have the columns of one service: /,
  ],
  ['a file without links', 'shortCode,longUrl\n', /^file must have at least 1 link/],
  ['JSON without links', '{"links":[]}', /^file must have the columns of one service/],
  ['JSON that is cut off', '{"links":[{"id":', /^is not valid JSON/],
])('%s is refused', (_, text, message) => {
  expect(() => linksOf(Buffer.from(text))).toThrow(message);
});
