/** Tabs of a browser. Opening one takes half a second of work, so they are reused. */
import type { Browser, BrowserContext, BrowserContextOptions, Page as Tab } from 'playwright-core';

export interface OpenTab {
  tab: Tab;
  context: BrowserContext;
  /** A reused tab keeps its history, but nothing else that a test gave it. */
  leave(): Promise<void>;
}

const phone: BrowserContextOptions = { viewport: { width: 390, height: 844 }, colorScheme: 'light' };

const openTab = async (browser: Browser, options: BrowserContextOptions = {}): Promise<OpenTab> => {
  const context = await browser.newContext({ ...phone, ...options });
  return { tab: await context.newPage(), context, leave: () => context.close() };
};

export const createTabs = (browser: Browser) => {
  const idle: OpenTab[] = [];

  const clear = async ({ tab, context }: OpenTab): Promise<void> => {
    await tab.goto('about:blank');
    await tab.removeAllListeners(undefined, { behavior: 'wait' });
    await context.unrouteAll({ behavior: 'wait' });
    await context.clearPermissions();
    await tab.emulateMedia({ colorScheme: 'light' });
  };

  return {
    /** If the test depends on the tab's history, or has options of its own. */
    openNew: (options?: BrowserContextOptions): Promise<OpenTab> => openTab(browser, options),
    async open(): Promise<OpenTab> {
      const opened = idle.pop() ?? (await openTab(browser));
      return {
        ...opened,
        async leave() {
          await clear(opened);
          idle.push(opened);
        },
      };
    },
  };
};
