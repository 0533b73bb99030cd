/** Answers requests to the resolver, with the headers that browsers of other origins need to read the answer. */
import type { Language } from '#shared/languages.ts';
import { originOf } from '../domains/site.ts';
import type { AddressLimit } from '../limits/address-limit.ts';
import { createRateLimitHeaders } from '../limits/address-limit-headers.ts';
import { type Answer, pageOf } from '../pages/answers.ts';
import type { About } from '../pages/layout.ts';
import type { Page } from '../pages/page.ts';
import { createRedirectHead } from '../scan/redirect-head.ts';
import { linksetType } from './preferences.ts';
import type { Gs1Request } from './request.ts';

/** The list of all links, for a program and for a person. */
export interface LinkList {
  json(): string;
  page(language: Language, about: About): Page;
}

export interface Gs1Answers {
  /** Prepares a redirect; the recorder releases it. @param path canonical, of the matching entry */
  prepareRedirect(request: Gs1Request, location: string, path: string): void;
  /** Answers now, with the list of all links. */
  linkset(request: Gs1Request, list: LinkList): void;
  send(request: Gs1Request, answer: Answer): void;
  /** Answers 429 now: the address has sent too many requests. */
  refuse(request: Gs1Request, answer: Answer): void;
  /** Answers without counting against the limit. */
  sendUncounted(reply: Gs1Request['reply'], page: Page): void;
}

/** What browsers of any origin may do with an answer (Fetch, section 3.3). */
export const corsHeaders = [
  ['Access-Control-Allow-Origin', '*'],
  ['Access-Control-Allow-Methods', 'GET, HEAD, OPTIONS'],
  ['Access-Control-Expose-Headers', 'Link, Location'],
] as const;

const varyHeader = ['Vary', 'Accept, Accept-Language'] as const;

/** Only a domain's owner is named: a Digital Link on a shared host is anyone's. */
const aboutOf = ({ site }: Gs1Request): About => ({ brand: site?.brand(), host: site?.domain });

/** Temporary, and keeps the method: the standard prefers it to 302. */
const redirectStatus = '307 Temporary Redirect';

const linksetHeaders = [
  ['Content-Type', linksetType],
  [
    'Link',
    '<https://ref.gs1.org/standards/resolver/linkset-context>; rel="http://www.w3.org/ns/json-ld#context"; type="application/ld+json"',
  ],
  ['Cache-Control', 'private, no-store'],
  ['X-Content-Type-Options', 'nosniff'],
] as const;

/** A page with the resolver's headers; its Vary replaces the page's own. */
const withCors = (page: Page): Page => ({
  ...page,
  headers: [...page.headers.filter(([name]) => name !== 'Vary'), ...corsHeaders, varyHeader],
});

/**
 * @param limit of requests; every answer but 429 counts against it
 * @param root the origin for requests without a domain
 */
export const createGs1Answers = (limit: AddressLimit, root: string): Gs1Answers => {
  const rateLimit = createRateLimitHeaders(limit.limit, limit.windowMs);
  const redirectHead = createRedirectHead(
    rateLimit,
    [...corsHeaders, varyHeader].map(([name, value]) => `${name}: ${value}`),
  );

  const limitHeaders = (remaining: number, atMs: number) =>
    [
      ['RateLimit-Policy', rateLimit.policy],
      ['RateLimit', rateLimit.value(remaining, atMs)],
    ] as const;

  const count = ({ visit: { address, atMs } }: Gs1Request): number => limit.count(address, atMs);

  const send = (request: Gs1Request, page: Page): void => {
    const more = limitHeaders(count(request), request.visit.atMs);
    request.reply.send(withCors({ ...page, headers: [...page.headers, ...more] }));
  };

  return {
    prepareRedirect(request, location, path) {
      const head = redirectHead(redirectStatus, count(request), request.visit.atMs);
      const link = `Link: <${originOf(request.site, root)}${path}?linkType=linkset>; rel="linkset"; type="${linksetType}"`;
      request.reply.prepareRedirect(`${head}\r\n${link}`, location);
    },
    linkset(request, { json, page }) {
      const reader = request.reader();
      if (reader === 'program')
        send(request, { status: '200 OK', headers: linksetHeaders, body: Buffer.from(json()) });
      else send(request, page(reader, aboutOf(request)));
    },
    send: (request, answer) => send(request, pageOf(answer, request.reader(), aboutOf(request))),
    refuse(request, answer) {
      const { atMs } = request.visit;
      const page = pageOf(answer, request.reader(), aboutOf(request));
      const retry = ['Retry-After', String(rateLimit.resetS(atMs))] as const;
      const headers = [...page.headers, ...limitHeaders(0, atMs), retry];
      request.reply.send(withCors({ ...page, headers }));
    },
    sendUncounted: (reply, page) => reply.send(withCors(page)),
  };
};
