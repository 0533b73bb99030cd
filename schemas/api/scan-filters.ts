/** The window and the filters of queries about a workspace's scans. */
import { z } from 'zod';
import { countedDevices, operatingSystems } from '../scan-event.ts';
import { parseInstant } from './instants.ts';
import { boundedText, timeZoneLengthMax, wholeNumberParameter } from './text.ts';
import { canonicalTimeZone, notTimeZone } from './time-zone.ts';

export const windowDaysMax = 90;
export const windowDaysDefault = 30;

/** The filters that compare a column of a scan; the others are about its code. */
export const columnFilters = [
  'country',
  'device',
  'os',
  'browser',
  'referrer',
  'source',
  'variant',
  'rule',
] as const;
export type ColumnFilter = (typeof columnFilters)[number];

export const codeFilters = ['code', 'domain', 'tag', 'folder'] as const;
export type CodeFilter = (typeof codeFilters)[number];

/** Values, of which a scan has one, or, if `not`, none. */
export interface ListFilter {
  not: boolean;
  values: readonly string[];
}

export type ScanFilters = { readonly [Name in ColumnFilter | CodeFilter]?: ListFilter | undefined };

const listLengthMax = 2_000;
const valuesMax = 50;
const valueLengthMax = 255;

/** Splits at commas. A backslash makes the next character a part of the value. */
const splitList = (text: string): { value: string; negated: boolean }[] => {
  const entries: { value: string; negated: boolean }[] = [];
  let entry = { value: '', negated: false };
  let isStart = true;
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (character === ',') {
      entries.push(entry);
      entry = { value: '', negated: false };
      isStart = true;
      continue;
    }
    if (character === '-' && isStart) entry.negated = true;
    else entry.value += character === '\\' ? (text[++at] ?? '') : character;
    isStart = false;
  }
  return [...entries, entry];
};

const whyNoList = (entries: ReturnType<typeof splitList>): string | undefined => {
  if (entries.length > valuesMax) return `must have at most ${valuesMax} values`;
  if (entries.some(({ value }) => value === '')) return 'must not have an empty value';
  if (entries.some(({ value }) => value.length > valueLengthMax))
    return `must have values of at most ${valueLengthMax} characters`;
  if (entries.some(({ value }) => /\p{Cc}/u.test(value) || !value.isWellFormed()))
    return 'must not contain control characters';
  if (entries.slice(1).some(({ negated }) => negated) && !entries[0]!.negated)
    return 'must have a minus before its first value, or before none';
  return undefined;
};

/** @param known refuses a value; undefined: any text */
const list = (known?: { test(value: string): boolean; message: string }) =>
  boundedText(listLengthMax)
    .transform((text, context): ListFilter => {
      const entries = splitList(text);
      const wrong = known && entries.find(({ value }) => !known.test(value));
      const why = whyNoList(entries) ?? (wrong && known.message);
      if (why !== undefined) {
        context.addIssue({ code: 'custom', message: why });
        return z.NEVER;
      }
      return { not: entries[0]!.negated, values: entries.map(({ value }) => value) };
    })
    .optional();

const oneOf = (values: readonly string[]) => ({
  test: (value: string) => values.includes(value),
  message: `must have values among ${values.join(', ')}`,
});

const grammar =
  'Several values are separated by commas. A minus before the first value excludes all of them: `-US,CA`. A ' +
  'backslash before a comma, or before a minus at the beginning, makes it a part of the value.';

export const filterFields = {
  country: list({
    test: (value) => /^[A-Z]{2}$/.test(value),
    message: 'must have countries such as DE',
  }).describe(`Only scans from these countries: ISO 3166-1 alpha-2, upper case. ${grammar}`),
  device: list(oneOf(countedDevices)).describe('Only scans by these kinds of device. A list like `country`.'),
  os: list(oneOf(operatingSystems)).describe('Only scans by these operating systems. A list like `country`.'),
  browser: list().describe('Only scans by these browsers, such as `Safari`. A list like `country`.'),
  referrer: list().describe('Only scans from pages of these hosts. A list like `country`.'),
  source: list().describe('Only scans with these values of `?s=`. A list like `country`.'),
  variant: list().describe('Only scans that went to these variants of campaigns. A list like `country`.'),
  rule: list().describe('Only scans that matched these routing rules. A list like `country`.'),
  code: list().describe('Only scans of these codes, by their ids. A list like `country`.'),
  domain: list().describe(
    'Only scans of codes that are printed with these hosts. A list like `country`. The codes of the filter ' +
      'are at most 10,000.',
  ),
  tag: list().describe(
    'Only scans of codes that have one of these tags now, in any case. A list like `country`. The codes of the filter are ' +
      'at most 10,000.',
  ),
  folder: list().describe(
    'Only scans of codes that are in one of these folders now, by their ids. A list like `country`. The codes of the ' +
      'filter are at most 10,000.',
  ),
};

const notMoment = 'must be a day such as 2030-01-31, or an ISO 8601 instant with an offset';

/** Not about scans: only where conversions are shown. */
export const eventFilter = list().describe(
  'Only conversions with these events; scans are counted all the same. Only with `conversions`. A list like `country`.',
);

/** One end of a window: a day of the time zone, or an instant. */
export type Moment = { day: string } | { ms: number };

export const moment = () =>
  boundedText('2030-01-31T12:00:00.000000000+01:00'.length, notMoment).transform((text, context): Moment => {
    if (z.iso.date().safeParse(text).success) return { day: text };
    const ms = text.includes('T') ? parseInstant(text) : Number.NaN;
    if (Number.isInteger(ms) && ms >= 0 && ms < Date.UTC(2100, 0)) return { ms };
    context.addIssue({ code: 'custom', message: notMoment });
    return z.NEVER;
  });

export const windowFields = {
  days: wholeNumberParameter(1, windowDaysMax)
    .optional()
    .describe(
      `The length of the window in days, today included. Default: ${windowDaysDefault}, if \`from\` is not given.`,
    ),
  from: moment()
    .optional()
    .describe(
      'Where the window begins: a day of the time zone, or an ISO 8601 instant with an offset. Must not be given ' +
        'together with `days`.',
    ),
  to: moment()
    .optional()
    .describe(
      'Where the window ends: a day, which is included, or an instant, which is not. Default: today. The window has ' +
        `at most ${windowDaysMax} days.`,
    ),
  timezone: boundedText(timeZoneLengthMax, notTimeZone)
    .optional()
    .transform(canonicalTimeZone)
    .describe('The IANA time zone of the days, such as `Europe/Berlin`. Default: `UTC`.'),
};

export interface WindowQuery {
  days?: number | undefined;
  from?: Moment | undefined;
  to?: Moment | undefined;
  timezone: string;
}

/** Refuses combinations that say nothing. */
export const checkWindow = ({ days, from, to }: WindowQuery, context: z.RefinementCtx): void => {
  if (days !== undefined && (from ?? to) !== undefined)
    context.addIssue({
      code: 'custom',
      path: ['days'],
      message: 'must not be given together with from and to',
    });
  else if (from === undefined && to !== undefined)
    context.addIssue({ code: 'custom', path: ['from'], message: 'must be given together with to' });
};
