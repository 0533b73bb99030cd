/** The example pages of an installation, as its first start prints them. */
import { expect, vi } from 'vitest';
import { waymark } from './shared-installation.ts';

/** The URLs printed for an example; empty if there is none. */
export const exampleLine = (title: string): { page: string; code: string } => {
  const [, page = '', code = ''] =
    new RegExp(`^${title} +(\\S+) {2}(\\S+)$`, 'm').exec(waymark.output()) ?? [];
  return { page, code };
};

/** They are created after the start, in the background. */
export const examplesTimeoutMs = 180_000;

/** The last line printed about them says how to remove them. */
export const untilExamplesAreMade = (): Promise<void> =>
  vi.waitFor(() => expect(waymark.output()).toContain('to remove them'), { timeout: examplesTimeoutMs });
