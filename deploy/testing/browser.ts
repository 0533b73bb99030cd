/** A real browser for the tests of pages. */
import { type Browser, chromium } from 'playwright-core';
import { findBrowser } from './programs.ts';

/** @returns undefined if there is none */
export const launchBrowser = async (): Promise<Browser | undefined> => {
  const executablePath = await findBrowser();
  // Root may not use the sandbox; the pages are our own.
  return executablePath === undefined
    ? undefined
    : chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 });
};
