/** What a visitor is shown in place of a page. */
import { hash } from 'node:crypto';
import type { PageDocument } from '../page-kind.ts';

export type Shown = 'unknown' | 'paused' | 'limited' | 'unavailable' | 'refused' | 'failed';

const texts: Record<Shown, string> = {
  unknown: 'There is no such page',
  paused: 'This page is paused',
  limited: 'Too many requests. Please wait a minute',
  unavailable: 'This page cannot be shown at the moment. Please try again',
  refused: 'This cannot be answered',
  failed: 'Something went wrong',
};

const style = 'body{font:1.125rem/1.5 system-ui,sans-serif;max-width:30rem;margin:4rem auto;padding:0 1rem}';
const contentSecurityPolicy =
  `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export const statusPage = (shown: Shown): PageDocument => ({
  contentSecurityPolicy,
  html:
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="robots" content="noindex">' +
    '<meta name="viewport" content="width=device-width,initial-scale=1">' +
    `<title>${texts[shown]}</title><style>${style}</style><h1>${texts[shown]}</h1></html>`,
});
