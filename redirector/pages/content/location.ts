/** A sealed location, which no redirect can follow: its link is followed only on a tap. */
import { filled } from '#shared/pages/filled.ts';
import { webUrl } from '#shared/payloads/links.ts';
import { button, type Show, textCard } from './fragments.ts';

export const showLocation: Show = (payload, { words: { website: words } }) => {
  const url = webUrl(payload);
  if (url === undefined) return undefined;
  return {
    title: words.title,
    body: [textCard(url), button(url, filled(words.open, { host: new URL(url).host }))],
  };
};
