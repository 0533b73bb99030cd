/** The GS1 resolver's answers without a link: a page for browsers, JSON for programs. */
import { STATUS_CODES } from 'node:http';
import { html } from 'hono/html';
import { type ErrorCode, errorBody, errorStatus } from '#shared/errors.ts';
import { quoted } from '#shared/quoted.ts';
import type { Answer } from './answers.ts';
import { createPages, jsonPage, type PageContent } from './layout.ts';

const pages = createPages();

const create = (code: ErrorCode, error: string, content: PageContent): Answer => {
  const status = `${errorStatus[code]} ${STATUS_CODES[errorStatus[code]]}`;
  return { page: pages(status, content), json: jsonPage(status, errorBody(code, error)) };
};

export const gs1Answers = {
  unknown: create('NOT_FOUND', 'There are no links at this GS1 Digital Link', {
    icon: 'lost',
    title: 'Nothing is known here',
    lead: 'The code can be read, but nobody has put any information behind it.',
  }),
  scanUnit: create(
    'NOT_FOUND',
    'There are no links at this GS1 Digital Link: its units are verified one by one',
    {
      icon: 'lost',
      title: 'Scan the code on the unit',
      lead: 'This code names the product, whose units have codes of their own. Please scan the code on the unit itself.',
    },
  ),
  limited: create('RATE_LIMITED', 'Too many requests from this address', {
    icon: 'clock',
    title: 'That was a lot of scans',
    lead: 'Too many codes were opened from your network within a minute. Please wait a moment and scan again.',
  }),
  unavailable: create('UNAVAILABLE', 'The links cannot be looked up at the moment', {
    icon: 'clock',
    title: 'One moment, please',
    lead: 'This code cannot be looked up just now. Please scan it again in a few seconds.',
  }),
  methodNotAllowed: create('METHOD_NOT_ALLOWED', 'Only GET, HEAD and OPTIONS are allowed', {
    icon: 'lost',
    title: 'This code can only be opened',
    lead: 'A GS1 Digital Link answers GET and HEAD.',
  }),
} satisfies Record<string, Answer>;

/** @param asked the requested link types */
export const unknownLinkType = (asked: readonly string[]): Answer =>
  create(
    'NOT_FOUND',
    `There is no link of the type ${quoted(asked.join(', '))} at this GS1 Digital Link; a type is written as gs1:pip, and ` +
      '?linkType=linkset lists the links that there are',
    {
      icon: 'lost',
      title: 'Nothing of this kind is known here',
      lead: 'There is information behind this code, but not of the kind that was asked for.',
    },
  );

/** @param message the fault in GS1's terms: for programs, and for the people who made the code */
export const invalidLink = (message: string): Answer =>
  create('INVALID_REQUEST', message, {
    icon: 'lost',
    title: 'This product code has a typing error',
    lead: 'Please scan it again. If it is printed like this, tell the shop or the brand.',
    body: html`<div class="card"><details><summary>What is wrong</summary><p class="text" dir="auto">${message}</p></details></div>`,
  });
