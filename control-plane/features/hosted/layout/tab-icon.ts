/** The icon of a page in a tab: the first letter of its title on the accent. A URL, so that no second request is made for it. */
import type { Palette } from './theme.ts';

const firstLetter = (title: string): string => title.match(/[\p{L}\p{N}]/u)?.[0].toUpperCase() ?? '';

/** @returns a data: URL of an SVG */
export const tabIcon = (title: string, { accent, onAccent }: Palette): string => {
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="9" fill="${accent}"/>` +
    `<text x="16" y="22.5" font-family="system-ui,sans-serif" font-size="19" font-weight="700" text-anchor="middle" fill="${onAccent}">${firstLetter(title)}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
};
