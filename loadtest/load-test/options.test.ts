import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../deploy/testing/local.ts';
import { definitions } from '../load-tests.ts';
import { UsageError } from './usage-error.ts';

type Name = (typeof definitions)[number]['name'];

const parse = (name: Name, ...args: string[]): Record<string, unknown> => ({
  ...definitions.find((each) => each.name === name)!.parse(args),
});

const rows: Partial<Record<Name, readonly string[]>> = {
  redirect: ['servers', 'misses', 'routing', 'sync', 'update', 'kills', 'events', 'million'],
  real: ['keep-alive', 'new-tcp', 'rates', 'tls', 'tls-rates', 'memory', 'idle', 'million', 'trace'],
  api: ['list', 'read', 'create', 'update', 'analytics'],
  bulk: ['batches', 'fairness', 'memory'],
  hosted: ['landing-page', 'menu', 'form'],
  verify: ['forged', 'genuine', 'firsts'],
  serialized: ['mint', 'downloads', 'images'],
  webhooks: ['rate', 'delay', 'api', 'scans'],
};

const looks = ['svgPlain', 'svgRounded', 'pngPlain', 'pngRounded', 'webpRounded', 'pdfFramed'];
const renderRows = ['svg', 'png', 'pdf', 'webp', 'proof', 'image', 'memory', ...looks];

/** The options of each load test without flags. */
const standards: Record<Name, object> = {
  redirect: {
    quick: false,
    install: false,
    only: rows.redirect,
    kutt: undefined,
    redirector: undefined,
    publish: undefined,
  },
  real: { quick: false, install: false, only: rows.real, redirector: undefined },
  handshakes: { quick: false },
  api: {
    quick: false,
    codes: 1_000_000,
    scans: 50_000_000,
    only: rows.api,
    kutt: undefined,
    build: undefined,
  },
  bulk: { quick: false, only: rows.bulk, build: undefined },
  hosted: { quick: false, only: rows.hosted, build: undefined },
  gs1: { quick: false },
  verify: { quick: false, only: rows.verify },
  claims: { units: 10_000, redisKills: 6, redisLosses: 2, redirectorKills: 6 },
  render: { quick: false, only: renderRows, build: undefined },
  paint: { visits: 9 },
  serialized: { quick: false, only: rows.serialized, build: undefined },
  webhooks: { quick: false, only: rows.webhooks, build: undefined, profile: undefined },
  'webhook-faults': { codes: 2_000, seconds: 90, planeKills: 12, postgresKills: 4, jumps: 12 },
};

const names = Object.keys(standards) as Name[];

test('every load test has its options here', () => {
  expect(definitions.map(({ name }) => name)).toEqual(names);
});

test.each(names)('%s without flags measures everything at length', (name) => {
  expect(parse(name)).toEqual(standards[name]);
});

const redirector = fileURLToPath(new URL('../../redirector/main.ts', import.meta.url));

describe('flags that are given', () => {
  test.each<[Name, string[], object]>([
    ['redirect', ['--quick', '--only', 'kills,events'], { quick: true, only: ['kills', 'events'] }],
    ['redirect', ['--install', '--publish', 'a machine'], { install: true, publish: 'a machine' }],
    [
      'real',
      ['--only', 'rates,million', '--redirector', redirector],
      { only: ['rates', 'million'], redirector },
    ],
    ['api', ['--codes', '500', '--only', 'list,create'], { codes: 500, only: ['list', 'create'] }],
    ['bulk', ['--quick', '--only', 'memory,batches'], { quick: true, only: ['memory', 'batches'] }],
    ['hosted', ['--quick', '--only', 'menu,form'], { quick: true, only: ['menu', 'form'] }],
    ['gs1', ['--quick'], { quick: true }],
    ['verify', ['--quick', '--only', 'forged,firsts'], { quick: true, only: ['forged', 'firsts'] }],
    ['claims', ['--units', '300', '--redis-kills', '0'], { units: 300, redisKills: 0, redisLosses: 2 }],
    ['render', ['--only', 'svg,pngPlain'], { only: ['svg', 'pngPlain'] }],
    ['paint', ['--visits', '3'], { visits: 3 }],
    ['serialized', ['--quick', '--only', 'mint'], { quick: true, only: ['mint'] }],
    ['webhooks', ['--quick', '--only', 'rate,scans'], { quick: true, only: ['rate', 'scans'] }],
    ['webhook-faults', ['--codes', '50', '--postgres-kills', '0'], { codes: 50, postgresKills: 0 }],
  ])('%s %j', (name, args, options) => {
    expect(parse(name, ...args)).toEqual({ ...standards[name], ...options });
  });

  test('a checkout of Kutt is a folder with its program and its packages', async () => {
    const kutt = await temporaryFolder();
    const call = () => parse('redirect', '--kutt', kutt);
    await mkdir(path.join(kutt, 'server'));
    await writeFile(path.join(kutt, 'server/server.js'), '');
    expect(call).toThrow('--kutt must be a folder with server/server.js and node_modules in it');
    await mkdir(path.join(kutt, 'node_modules'));
    expect(call()).toMatchObject({ kutt });
  });
});

const count = (flag: string, given: string, least = 1): [string[], string] => [
  [`--${flag}`, given],
  `--${flag} must be a whole number from ${least}; given: ${given}`,
];

/** A path that leads nowhere, and what a build of the load test has. */
const build = (contents: string): [string[], string] => [
  ['--build', '/nope'],
  `--build must be a folder with ${contents} in it; given: /nope`,
];

describe('a wrong flag is refused before anything starts, and the message names it', () => {
  test.each<[Name, string[], string]>([
    ['redirect', ['--kutt', '/nope'], '--kutt must be a folder with server/server.js and node_modules in it'],
    ['redirect', ['--redirector', '/nope.ts'], '--redirector must be a file that exists; given: /nope.ts'],
    ['redirect', ['--redirector', '/'], '--redirector must be a file that exists; given: /'],
    ['redirect', ['--only', 'kill'], 'there is no row kill; there are servers, misses,'],
    ['real', ['--only', 'rate'], 'there is no row rate'],
    ['real', ['--redirector', '/nope.ts'], '--redirector must be a file that exists'],
    ['real', ['--kutt', '/k'], "'--kutt'"],
    ...['abc', '', '0', '1.5', '1e99'].map((given): [Name, string[], string] => [
      'api',
      ...count('codes', given),
    ]),
    ['api', ['--only', 'list,foo'], 'there is no round foo; there are list, read, create, update'],
    ['api', ['--only', ''], '--only must be the names of rounds'],
    ['api', ['--kutt', '/nope'], '--kutt must be a folder with server/server.js'],
    ['api', ...build('control-plane/main.ts')],
    ['bulk', ['--only', 'speed'], 'there is no row speed; there are batches,'],
    ['bulk', ...build('control-plane/features/bulk')],
    ['hosted', ['--only', 'speed'], 'there is no page speed; there are landing-page,'],
    ['hosted', ...build('control-plane/features/hosted')],
    ['gs1', ['--only', 'servers'], "'--only'"],
    ['verify', ['--only', 'first'], 'there is no row first'],
    ['claims', ...count('units', '0')],
    ['claims', ['--units', '50001'], '--units must be at most 50000; given: 50001'],
    ['claims', ['--redis-kills', '-1'], "'--redis-kills"],
    ['claims', ['--redis-kills=-1'], '--redis-kills must be a whole number from 0; given: -1'],
    ['claims', ...count('redirector-kills', 'x', 0)],
    ['render', ['--only', 'foo'], 'there is no row foo; there are svg, png,'],
    ['render', ...build('control-plane/rendering')],
    ['paint', ...count('visits', '0')],
    ['paint', ['--quick'], "'--quick'"],
    ['serialized', ['--only', 'speed'], 'there is no row speed; there are mint, downloads, images'],
    ['serialized', ...build('control-plane/features/serialized')],
    ['webhooks', ['--only', 'rates'], 'there is no row rates'],
    ['webhooks', ...build('control-plane/features/webhooks/delivery')],
    ['webhooks', ['--profile', '/nowhere'], '--profile must be a folder'],
    ['webhook-faults', ['--codes', '20001'], '--codes must be at most 20000; given: 20001'],
    ['webhook-faults', ['--seconds', '3601'], '--seconds must be at most 3600; given: 3601'],
    ['webhook-faults', ['--jumps', '-1'], "'--jumps"],
  ])('%s %j', (name, args, message) => {
    expect(() => parse(name, ...args)).toThrow(UsageError);
    expect(() => parse(name, ...args)).toThrow(message);
  });

  test.each(names)('%s: a flag that does not exist, and a word that is no flag', (name) => {
    expect(() => parse(name, '--fast')).toThrow(UsageError);
    expect(() => parse(name, '--fast')).toThrow("'--fast'");
    expect(() => parse(name, 'quick')).toThrow(UsageError);
    expect(() => parse(name, 'quick')).toThrow(`${name} takes flags only; given: quick`);
  });

  test.each(['', ',', 'kills,'])('--only %j has an empty name', (given) => {
    expect(() => parse('redirect', '--only', given)).toThrow(
      `--only must be the names of rows, separated by commas; given: "${given}"; there are servers, misses,`,
    );
  });
});

test('the usage has the purpose, the words, the defaults and the bounds of every flag', () => {
  const usage = (name: Name) => definitions.find((each) => each.name === name)!.usage;
  expect(usage('webhook-faults').split('\n').slice(1, 4)).toEqual([
    '  kills control planes and PostgreSQL, and lets endpoints and the clock fail, during deliveries',
    '  --codes N           codes, of whose creation five endpoints get an event; 2,000 by default, 20,000 at most',
    '  --seconds N         seconds for which codes are created, at least; 90 by default, 3,600 at most',
  ]);
  expect(usage('bulk')).toContain('--only ROW,ROW  the rows to measure: batches, fairness, memory');
  for (const { name, parse: read, usage: text } of definitions)
    for (const option of Object.keys(read([])))
      expect(text, name).toContain(
        `--${option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
      );
});
