/** Which URLs of a body are screened: whatever a visitor could be led to. */
import { expect, test } from 'vitest';
import { inSteps, wholly } from '../../api/http/steps.ts';
import { longestStep } from '../../testing/longest-step.ts';
import { differentUrls, urlsMax, urlsOfEach } from './urls.ts';

const urlsIn = (value: unknown) => wholly(differentUrls(value));
const found = (value: unknown): string[] => [...new Set(urlsIn(value).map(({ url }) => url.href))];

test.each([
  ['intent://evil.example/x#Intent;scheme=https;package=com.android.chrome;end', 'https://evil.example/x'],
  [
    'intent://open/#Intent;scheme=my;S.browser_fallback_url=https%3A%2F%2Fevil.example%2F;end',
    'https://evil.example/',
  ],
  ['x-safari-https://evil.example/a', 'https://evil.example/a'],
  ['microsoft-edge:https://evil.example/a', 'https://evil.example/a'],
  ['firefox://open-url?url=https://evil.example/a', 'https://evil.example/a'],
])('an app link such as %s is screened for the page that it opens', (url, opened) => {
  const whole = urlsIn({ deepLinks: { android: { url } } });
  expect(whole.map((each) => each.url.href.replace(/#.*/, ''))).toContain(opened);
  expect(whole.every(({ field }) => field === 'deepLinks.android.url')).toBe(true);
});

test.each([
  ['a vCard', 'BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ann\r\nURL:evil.exa\r\n mple/a\r\nEND:VCARD'],
  ['a vCard with a whole URL', 'BEGIN:VCARD\nFN:Ann\nitem1.URL:https://evil.example/a\nEND:VCARD'],
  ['a MECARD', 'MECARD:N:Ann;URL:evil.example/a;;'],
  ['an event', 'BEGIN:VEVENT\nSUMMARY:Talk\nDTSTART:20260704T180000Z\nLOCATION:evil.example/a\nEND:VEVENT'],
])('%s is screened for what its page links', (_, destination) => {
  expect(found({ destination })).toEqual(['https://evil.example/a']);
});

test('the place of an event is screened as its page links it', () => {
  expect(found({ data: { title: 'x', location: 'evil.example/a' } })).toEqual(['https://evil.example/a']);
});

test('the domain of a Digital Link is screened', () => {
  expect(found({ data: { gtin: '09506000134352', domain: 'evil.example' } })).toEqual([
    'https://evil.example/',
  ]);
});

test('a write has each URL once, at its first field', () => {
  const links = ['https://a.example/', 'https://b.example/', 'https://A.example'];
  expect(urlsIn({ links }).map(({ field }) => field)).toEqual(['links[0]', 'links[1]']);
});

test('a write with too many different URLs is refused at the field of the first one too many', () => {
  const links = Array.from({ length: urlsMax }, (_, n) => `https://a.example/${n}`);
  expect(urlsIn({ links, again: links })).toHaveLength(urlsMax);
  const message = `^more must leave at most ${urlsMax} different URLs`;
  expect(() => urlsIn({ links, more: 'https://b.example/' })).toThrow(new RegExp(message));
});

test('what is stored has each URL at each of its fields', () => {
  const stored = [{ a: 'https://a.example/', b: 'https://a.example/' }, { c: 'no link' }];
  const fields = wholly(urlsOfEach(stored)).map((each) => each.map(({ field }) => field));
  expect(fields).toEqual([['a', 'b'], []]);
});

test('the URLs of two hundred of the largest codes are found in short steps', async () => {
  const long = 'x'.repeat(4_000);
  const code = (n: number) => ({
    schedule: Array.from({ length: 150 }, (_, at) => ({
      destination: `https://a${n}.example/${at}/${long}`,
    })),
  });
  const codes = Array.from({ length: 200 }, (_, n) => code(n));
  const { stepMs } = await longestStep(() => inSteps(urlsOfEach(codes)));
  expect(stepMs).toBeLessThan(100);
});

test('the addresses in a text are screened', () => {
  expect(found({ text: 'Look (at https://evil.example/a). Or at www.bad.example!' })).toEqual([
    'https://evil.example/a',
    'https://www.bad.example/',
  ]);
});

test.each(['a plain text', 'WIFI:S:net;;', 'tel:+49301234', '1.5', 'mailto:a@b.example'])(
  '%s leads to no web page',
  (data) => {
    expect(found({ data })).toEqual([]);
  },
);
