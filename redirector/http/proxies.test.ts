/** The client of a scan, with and without proxies. */
import { once } from 'node:events';
import net from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import type { CodeRecord } from '#schemas/code-record.ts';
import { eventually } from '../testing/eventually.ts';
import { rawRequest } from '../testing/raw-request.ts';
import { createRecord, phone, startTestRedirector, type TestRedirector } from '../testing/redirector.ts';

const portOf = ({ url }: TestRedirector): number => Number(new URL(url).port);

/** The destination of the code's country rule for Germany. */
const germany = 'https://example.com/de';

const ruled = (): CodeRecord =>
  createRecord({ rules: [{ id: 'de', condition: { country: ['DE'] }, destination: germany }] });

/** A German address in DB-IP's table. */
const german = '91.0.0.1';
const american = '8.8.8.8';

/** @returns where a scan with these header lines is redirected, and how many scans its address has left */
const scanWith = async (waymark: TestRedirector, { id }: CodeRecord, lines: string[], from = '127.0.0.1') => {
  const { status, headers } = await rawRequest({ port: portOf(waymark), from }, [
    `GET /r/${id} HTTP/1.1`,
    'Host: x',
    `User-Agent: ${phone}`,
    ...lines,
  ]);
  expect(status).toBe(302);
  return { location: headers.location, left: Number(/remaining=(\d+)/.exec(headers.ratelimit!)![1]) };
};

/** Scans with these lines count against one limit. The clock minute may end between two of them: try again. */
const expectOneLimit = (
  waymark: TestRedirector,
  code: CodeRecord,
  scans: number,
  lines: (n: number) => string[],
) =>
  eventually(async () => {
    const lefts: number[] = [];
    for (let n = 0; n < scans; n++) lefts.push((await scanWith(waymark, code, lines(n))).left);
    expect(lefts.map((left) => lefts[0]! - left)).toEqual(lefts.map((_, n) => n));
  });

describe('behind a trusted proxy', () => {
  let waymark: TestRedirector;
  let code: CodeRecord;

  beforeAll(async () => {
    waymark = await startTestRedirector({ TRUSTED_PROXIES: '127.0.0.1', COUNTRY_HEADER: 'CF-IPCountry' });
    await waymark.connected();
    code = ruled();
    await waymark.publish(code);
  });

  // On other systems, 127.0.0.1 is the only loopback address.
  test.runIf(process.platform === 'linux')(
    'while the proxy is connected it is trusted, and a stranger is not',
    async () => {
      const proxy = net.connect(portOf(waymark), '127.0.0.1');
      await once(proxy, 'connect');
      const lines = [`X-Forwarded-For: ${german}`];
      for (let n = 0; n < 3; n++) {
        expect((await scanWith(waymark, code, lines)).location).toBe(germany);
        expect((await scanWith(waymark, code, lines, '127.0.0.2')).location).toBe(code.destination);
      }
      proxy.destroy();
    },
  );

  test("several lines of X-Forwarded-For form one list: the client's own entries come before what the proxy saw", async () => {
    const forged = await scanWith(waymark, code, [
      `X-Forwarded-For: ${german}`,
      `X-Forwarded-For: ${american}`,
    ]);
    expect(forged.location).toBe(code.destination);
    const seen = await scanWith(waymark, code, [
      `X-Forwarded-For: ${american}, 127.0.0.1`,
      'X-Other: 1',
      `x-forwarded-for: ${german}:5678, 127.0.0.1:99`,
    ]);
    expect(seen.location).toBe(germany);
  });

  test('the limit counts the address the proxy saw, whatever the client put before it', async () => {
    await expectOneLimit(waymark, code, 5, (n) => [
      `X-Forwarded-For: 203.0.113.${n}`,
      'X-Forwarded-For: 198.51.100.77',
    ]);
  });

  test('of several country headers the last counts: the proxy may have added it', async () => {
    const { location } = await scanWith(waymark, code, [
      `X-Forwarded-For: ${german}`,
      'CF-IPCountry: DE',
      'CF-IPCountry: FR',
    ]);
    expect(location).toBe(code.destination);
  });
});

describe('without a trusted proxy', () => {
  let waymark: TestRedirector;
  let code: CodeRecord;

  const start = async (environment: Record<string, string>): Promise<void> => {
    waymark = await startTestRedirector({ COUNTRY_HEADER: 'CF-IPCountry', ...environment });
    await waymark.connected();
    code = ruled();
    await waymark.publish(code);
  };

  const expectNoTrust = async (): Promise<void> => {
    const lines = (n: number) => [`X-Forwarded-For: 91.0.0.${n + 1}`, 'CF-IPCountry: DE'];
    expect((await scanWith(waymark, code, lines(0))).location).toBe(code.destination);
    await expectOneLimit(waymark, code, 4, lines);
  };

  describe('at all', () => {
    beforeAll(() => start({}));

    test('the first X-Forwarded-For is logged once an hour, as a warning with the peer and the variable to set', async () => {
      await scanWith(waymark, code, []);
      // Redis may be slow on a busy machine, which is logged too.
      const logged = () => waymark.logged().filter(({ redis }) => redis === undefined);
      expect(logged()).toEqual([]);
      for (let n = 0; n < 3; n++) await scanWith(waymark, code, [`X-Forwarded-For: ${german}`]);
      expect(logged()).toEqual([
        {
          level: 'warn',
          peer: '127.0.0.1',
          msg: expect.stringMatching(/^X-Forwarded-For from 127\.0\.0\.1 is not believed.*TRUSTED_PROXIES/),
        },
      ]);
    });

    test('X-Forwarded-For and the country header are not trusted from any client', expectNoTrust);
  });

  describe('among the clients', () => {
    beforeAll(() => start({ TRUSTED_PROXIES: '10.0.0.0/8' }));

    test('X-Forwarded-For and the country header are not trusted from any client', expectNoTrust);
  });
});
