/** One visit of a phone that has never been there, over a slow line. */
import type { Browser, CDPSession } from 'playwright-core';

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

export interface Visit {
  /** From the start of the navigation to the largest contentful paint. */
  paintMs: number;
  /** What was painted: an element, and the address of a picture. */
  painted: string;
  /** Bytes on the line by the time that the page had loaded. */
  bytes: number;
  /** The sum of layout shifts. */
  shift: number;
}

type Paint = Omit<Visit, 'bytes'>;

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

/** Counts what the line carries. */
const countBytes = async (session: CDPSession): Promise<() => number> => {
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await session.send('Network.enable');
  return () => bytes;
};

/** @throws when the page does not answer 200 */
export const visit = async (browser: Browser, url: string): Promise<Visit> => {
  const context = await browser.newContext(phone);
  try {
    const tab = await context.newPage();
    const session = await context.newCDPSession(tab);
    const bytes = await countBytes(session);
    await session.send('Network.emulateNetworkConditions', slowLine);
    const response = await tab.goto(url, { waitUntil: 'load' });
    if (response?.status() !== 200) throw new Error(`${url}: ${response?.status()}`);
    return { ...(await tab.evaluate<Paint>(readPaint)), bytes: bytes() };
  } finally {
    await context.close();
  }
};
