/** Descriptions of codes, of lists, analytics and queries, for integrators: Markdown. */
import { codeFieldTexts as says } from './code-texts.ts';

export const queryTexts = {
  list: {
    limit: 'How many codes a page has at most.',
    cursor: 'The `pagination.nextCursor` of the page before. Absent: the first page.',
    type: 'Only codes of this data type.',
    status: 'Only codes of this status.',
  },
  analytics: {
    days: 'How many days the window has, today included.',
    timezone: 'The IANA time zone at whose midnight days begin, such as `Europe/Berlin`. Default: `UTC`.',
  },
} as const;

export const codeObjectTexts = {
  id: 'The id of the code, which never changes.',
  type: 'What kind of code it is.',
  name: 'A label for people; null where there is none.',
  dataType: says.dataType,
  destination:
    'Where the code leads, or the payload that it holds; where it is encrypted, a JWE (RFC 7516) of it.',
  redirectUrl: 'What the pattern encodes: each scan passes through it.',
  status:
    'Whether scans are sent on (`active`) or get a page that says that the code is switched off (`inactive`).',
  encrypted: 'Whether the payload is sealed.',
  passwordProtected: 'Whether scanners are asked for a password.',
  expiresAt:
    'When scans begin to answer 410: ISO 8601, UTC; after the year 9999 with six digits and a sign. Null where there is no such moment.',
  maxScans: 'Scans after so many answer 410; null where there is no cap.',
  scanCount: 'Scans so far. Crawlers and link previews are not counted.',
  secure: 'Which of the protections the code has.',
  createdAt: 'When it was made: ISO 8601, UTC.',
  updatedAt: 'When it was last changed: ISO 8601, UTC.',
} as const;

export const wholeCodeTexts = {
  campaign: `Absent where there is none. ${says.campaign}`,
  routingRules: `Absent where there are none. ${says.routingRules}`,
  deepLinkConfig: `Absent where there is none. ${says.deepLinkConfig}`,
  style: 'The saved style: the keys that are set. Absent where none is.',
  sources: `Absent where there are none. ${says.sources}`,
} as const;

export const listTexts = {
  data: 'The codes of this page, newest first.',
  pagination: 'Which page it is, and how to get the next one.',
} as const;

export const pageTexts = {
  total: 'How many codes the filters let through, on all pages together.',
  limit: 'How many codes a page has at most.',
  cursor: 'The `cursor` that was sent; null for the first page.',
  nextCursor: 'To be sent as `cursor` for the next page; null on the last one.',
} as const;

const scans = 'How many scans.';
const part =
  'The most frequent ones first; scans of which it is not known are in none. Scans of the window by';

export const analyticsTexts = {
  all: {
    id: 'The id of the code.',
    days: 'How many days the window has.',
    from: 'The first day of the window.',
    to: 'The last day of the window: today.',
    timezone: 'The time zone at whose midnight days begin.',
    totalScans: 'Scans in the window.',
    uniqueScans:
      'Distinct visitors of the window. A visitor of two days counts twice: nobody is recognised across days.',
    series: 'Every day of the window, the first one first.',
    countries: `${part} country.`,
    devices: `${part} kind of device.`,
    os: `${part} operating system.`,
    browsers: `${part} browser.`,
    referrers: `${part} the site that the scanner came from.`,
    sources: `${part} the source in \`?s=\`.`,
    variants: `${part} the variant that a campaign chose.`,
    rules: `${part} the routing rule that matched.`,
  },
  day: { date: 'The day.', scans, uniqueScans: 'How many distinct visitors.' },
  country: { country: 'ISO 3166-1 alpha-2.', scans },
  device: { device: 'The kind of device.', scans },
  os: { os: 'The operating system.', scans },
  browser: { browser: 'The browser.', scans },
  referrer: { referrer: 'The host.', scans },
  source: { source: 'The id of the source.', scans },
  variant: { variant: 'The id of the variant.', scans },
  rule: { rule: 'The id of the rule.', scans },
} as const;
