import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { startTestControlPlane } from '../../testing/control-plane.ts';
import { parseChangelog } from './changelog.ts';

const file = readFileSync(new URL('../../../CHANGELOG.md', import.meta.url), 'utf8');

const answerShape = z.object({
  entries: z.array(
    z.object({
      date: z.string(),
      kind: z.string(),
      text: z.string(),
      operations: z.array(z.string()).optional(),
    }),
  ),
});

test('/changelog.json has every entry of CHANGELOG.md, in its words and its order, newest first', async () => {
  const call = (await startTestControlPlane()).callWith(undefined);
  const { entries } = answerShape.parse((await call('GET', '/changelog.json')).body);
  const words = file
    .slice(file.indexOf('\n## '))
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.trim())
    .join(' ');
  expect(entries.map(({ text }) => `- ${text}`).join(' ')).toBe(words);
  const dates = entries.map(({ date }) => date);
  expect(dates).toEqual(dates.toSorted().toReversed());
  for (const date of new Set(dates)) expect(file).toContain(`\n## ${date}\n`);
});

test('every operation that CHANGELOG.md names exists, unless it says that it was removed', async () => {
  const call = (await startTestControlPlane()).callWith(undefined);
  const { paths } = z
    .object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) })
    .parse((await call('GET', '/openapi.json')).body);
  const known = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const named = parseChangelog(file)
    .filter(({ kind }) => kind !== 'removed')
    .flatMap(({ operations = [] }) => operations);
  expect(named.filter((name) => !known.includes(name))).toEqual([]);
  expect(named).toContain('GET /changelog.json');
});

test('the page of changes has every entry, and links to the operations', async () => {
  const call = (await startTestControlPlane()).callWith(undefined);
  const { body } = await call('GET', '/docs/changelog', undefined, { 'accept-encoding': 'identity' });
  const page = String(body);
  const entries = parseChangelog(file);
  expect(page.match(/<strong>(added|changed|deprecated|removed|fixed):<\/strong>/g)).toHaveLength(
    entries.length,
  );
  for (const date of new Set(entries.map((each) => each.date))) expect(page).toContain(`id="on-${date}"`);
  expect(page).toContain('<a href="/docs/about-this-api#getChangelog"><code>GET /changelog.json</code></a>');
});

test('entries have their day, their kind, their whole text and the operations in it', () => {
  expect(
    parseChangelog(
      [
        '# Changes',
        '',
        'An introduction.',
        '- no entry',
        '## 2030-02-01',
        '',
        '### Deprecated',
        '',
        '- `GET /api/qr/things?all=true` and `POST /api/qr/things` go',
        '  away. Use `things`.',
        '- Another.',
        '',
        '### Fixed',
        '- A fault.',
        '## 2030-01-01',
        '### Added',
        '- First.',
      ].join('\n'),
    ),
  ).toEqual([
    {
      date: '2030-02-01',
      kind: 'deprecated',
      text: '`GET /api/qr/things?all=true` and `POST /api/qr/things` go away. Use `things`.',
      operations: ['GET /api/qr/things', 'POST /api/qr/things'],
    },
    { date: '2030-02-01', kind: 'deprecated', text: 'Another.' },
    { date: '2030-02-01', kind: 'fixed', text: 'A fault.' },
    { date: '2030-01-01', kind: 'added', text: 'First.' },
  ]);
});

test.each([
  ['## 2030-02-01\n### New\n- x', 'line 2'],
  ['## 1.0.0\n### Added\n- x', 'line 1'],
  ['## 2030-02-01\n- x', 'line 2'],
  ['## 2030-02-01\n### Added\nx', 'line 3'],
  ['## 2030-02-01\n### Added\n- x\n## 2030-01-01\n  more', 'line 5'],
])('a CHANGELOG.md that is written in another way is refused by its line: %j', (text, line) => {
  expect(() => parseChangelog(text)).toThrow(`CHANGELOG.md, ${line}: `);
});
