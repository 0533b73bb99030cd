/**
 * The largest contentful paint of the example pages in Chromium, over a line of 1.6 Mbit/s with 150 ms of latency, and the shift of
 * their layout meanwhile. Each visit is that of a browser that holds nothing.
 */
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Browser, type CDPSession, chromium } from 'playwright-core';
import { type Example, readRecord } from '../deploy/embedded/examples/record.ts';
import { makeTemporaryFolder } from './bench/abort.ts';
import { interleave } from './bench/interleave.ts';
import { startService } from './bench/service.ts';
import { defineLoadTest, type Run } from './load-test/load-test.ts';
import { median, rangeOf } from './measure/statistics.ts';
import { tableOf } from './report/findings.ts';
import { atMost } from './report/judge.ts';
import { formatTable } from './report/table.ts';

/** 1.6 Mbit/s down, half of it up, and 150 ms before each answer begins. */
const slowLine = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 800_000 / 8,
};

/** A usual phone: three device pixels for each of CSS. */
const phone = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 3,
  isMobile: true,
  hasTouch: true,
  userAgent:
    'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Mobile Safari/537.36',
};

interface Visit {
  /** From the start of the navigation to the largest contentful paint. */
  paintMs: number;
  /** The largest painted thing: an element, and the address of a picture. */
  painted: string;
  /** Bytes on the line by the time that the page had loaded. */
  bytes: number;
  /** The sum of layout shifts. */
  shift: number;
}

/** Runs in the page, once it has loaded. */
const readPaint = `new Promise((resolve) => {
  let shift = 0;
  let paint;
  new PerformanceObserver((list) => { for (const entry of list.getEntries()) shift += entry.value; }).observe({ type: 'layout-shift', buffered: true });
  new PerformanceObserver((list) => { paint = list.getEntries().at(-1); }).observe({ type: 'largest-contentful-paint', buffered: true });
  const answer = () => paint
    ? resolve({ paintMs: paint.startTime, painted: (paint.element?.localName ?? 'nothing') + (paint.url ? ' ' + paint.url : ''), shift })
    : setTimeout(answer, 50);
  setTimeout(answer, 300);
})`;

/** Counts the bytes on the line. */
const countBytes = async (session: CDPSession): Promise<() => number> => {
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await session.send('Network.enable');
  return () => bytes;
};

/** One visit of a phone that has never been there. @throws {Error} if the page does not answer 200 */
const visit = async (browser: Browser, url: string): Promise<Visit> => {
  const context = await browser.newContext(phone);
  try {
    const tab = await context.newPage();
    const session = await context.newCDPSession(tab);
    const bytes = await countBytes(session);
    await session.send('Network.emulateNetworkConditions', slowLine);
    const response = await tab.goto(url, { waitUntil: 'load' });
    if (response?.status() !== 200) throw new Error(`${url}: ${response?.status()}`);
    return { ...(await tab.evaluate<Omit<Visit, 'bytes'>>(readPaint)), bytes: bytes() };
  } finally {
    await context.close();
  }
};

const executablePath = '/usr/bin/chromium';
const makingMs = 120_000;

/** @throws {Error} if the service does not make its examples in time */
const untilMade = async (dataDir: string): Promise<Example[]> => {
  for (const begunMs = performance.now(); performance.now() - begunMs < makingMs; await sleep(200)) {
    const record = await readRecord(dataDir);
    if (record?.state === 'made') return record.examples;
  }
  throw new Error(`the examples were not made within ${makingMs / 1000} s`);
};

interface Context {
  visits: number;
  browser: Browser;
  pages: { title: string; url: string }[];
}

const environment = async ({ options, closer }: Run<{ visits: number }>): Promise<Context> => {
  if (!existsSync(executablePath)) throw new Error(`there is no ${executablePath}: apt install chromium`);
  // Root may not use the sandbox; the pages are our own.
  const browser = await chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 });
  closer.add(() => browser.close());
  const folder = await makeTemporaryFolder('paint');
  closer.add(folder.remove);
  const service = await startService(folder.path);
  closer.add(() => service.stop());
  const origin = `http://127.0.0.1:${service.port}`;
  const pages = (await untilMade(service.dataDir)).flatMap(({ title, path, code }) => [
    { title, url: `${origin}${path}` },
    ...(code ? [{ title: `${title}, from its code`, url: `${origin}${code.path}` }] : []),
  ]);
  return { visits: options.visits, browser, pages };
};

interface Page {
  title: string;
  visits: Visit[];
}

/** The pages take turns. */
const measure = async ({ visits, browser, pages }: Context): Promise<Page[]> => {
  const results = await interleave(pages, { rounds: visits }, ({ url }) => visit(browser, url));
  return [...results].map(([{ title }, each]) => ({ title, visits: each }));
};

const medianPaintMs = ({ visits }: Page): number => median(visits.map(({ paintMs }) => paintMs));

const pagesTable = (pages: readonly Page[]): string =>
  formatTable(
    ['page', 'visits', 'largest paint, ms', 'lowest to highest', 'what is painted', 'kB', 'layout shift'],
    pages.map((page) => {
      const { low, high } = rangeOf(page.visits.map(({ paintMs }) => paintMs));
      const { painted, bytes } = page.visits[0]!;
      return [
        page.title,
        String(page.visits.length),
        medianPaintMs(page).toFixed(0),
        `${low.toFixed(0)} to ${high.toFixed(0)}`,
        painted.replace(/http\S*\/(?=[^/]+\/[^/]+$)/, ''),
        (bytes / 1000).toFixed(0),
        String(Math.max(...page.visits.map(({ shift }) => shift))),
      ];
    }),
  );

export const paint = defineLoadTest({
  name: 'paint',
  about: 'measures the largest paint of the example pages on a slow line, in Chromium',
  flags: { visits: { kind: 'count', takes: 'COUNT', default: 9, help: 'visits of each example page' } },
  environment,
  rows: { pages: measure },
  criteria: [
    {
      id: 'landing page',
      // Its largest paint is its hero.
      title: 'largest contentful paint of the landing page, median',
      ...atMost(1500, ' ms', 1000),
      row: 'pages',
      finding: (pages) => {
        const page = pages.find(({ title }) => title === 'landing page');
        return page ? { value: medianPaintMs(page) } : { why: 'the example was not made' };
      },
    },
    {
      id: 'shift',
      title: 'layout shift of any page, the worst visit',
      ...atMost(0, ''),
      row: 'pages',
      finding: (pages) => ({
        value: Math.max(...pages.flatMap(({ visits }) => visits.map(({ shift }) => shift))),
      }),
    },
  ],
  tables: ({ pages }) => tableOf(pages, pagesTable),
});
