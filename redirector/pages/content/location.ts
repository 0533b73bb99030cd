/** A sealed location, which no redirect can follow: its link is followed only on a tap. */
import { webUrl } from '#shared/payloads/links.ts';
import { button, type Show, textCard } from './fragments.ts';

export const showLocation: Show = (payload) => {
  const url = webUrl(payload);
  if (url === undefined) return undefined;
  return {
    title: 'This code leads to a website',
    body: [textCard(url), button(url, `Open ${new URL(url).host}`)],
  };
};
