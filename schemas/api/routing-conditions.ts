/** The conditions of routing rules: which scans a rule matches. */
import { z } from 'zod';
import { devices, operatingSystems } from '../scan-event.ts';
import { countryCode, countryCodes } from './countries.ts';
import { offsetInstant } from './instants.ts';
import {
  boundedArray,
  boundedRecord,
  boundedText,
  ownRecord,
  ownText,
  requiredLabel,
  timeZoneLengthMax,
} from './text.ts';
import { canonicalTimeZone, notTimeZone } from './time-zone.ts';

// A body with all of them, in three-byte characters, must fit into the limit of a code's body.
const languagesMax = 20;
const browsersMax = 20;
const browserLengthMax = 40;
const queryNamesMax = 10;
const queryValuesMax = 5;
const queryNameLengthMax = 50;
const queryValueLengthMax = 50;
/** RFC 5646, section 4.4.1: no registered tag is longer. */
const languageLengthMax = 35;

/** The scan's own parameter: its source, see `sources`. */
export const sourceParameter = 's';

const anyOf = <Value extends z.ZodType>(value: Value, max = countryCodes.size) =>
  boundedArray(value, { min: 1, max })
    .transform((values) => [...new Set(values)])
    .optional();

const notLanguage = 'must be a language tag of BCP 47, such as de or de-CH';

/** In any case; read in the usual one. */
const language = boundedText(languageLengthMax, notLanguage).transform((tag, context) => {
  try {
    const [canonical] = Intl.getCanonicalLocales(tag);
    if (canonical !== undefined) return canonical;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  context.addIssue({ code: 'custom', message: notLanguage });
  return z.NEVER;
});

const queryValue = requiredLabel(queryValueLengthMax);

const notQueryValue = 'must be true, a string or a list of strings';

const anyValue = z
  .boolean()
  .refine((isAny) => isAny, notQueryValue)
  .transform(() => true as const)
  .meta({ override: { type: 'boolean', const: true } });

/** A single value is a list of one. */
const queryValues = z
  .union([anyValue, queryValue, boundedArray(queryValue, { min: 1, max: queryValuesMax })], {
    error: ({ input }) => (input === undefined ? undefined : notQueryValue),
  })
  .transform((given): true | string[] => {
    if (given === true) return true;
    return typeof given === 'string' ? [given] : [...new Set(given)];
  });

/** The name of a parameter in a query. Its messages stand after the name. */
export const parameterName = boundedText(
  queryNameLengthMax,
  `must have a name of at most ${queryNameLengthMax} characters`,
)
  .min(1, 'must have a name of at least 1 character')
  .refine((name) => name.isWellFormed() && !/\p{Cc}/u.test(name), 'must not contain control characters');

const query = boundedRecord(
  parameterName.refine((name) => name !== sourceParameter, 'must not be s, which names the source of a scan'),
  queryValues,
  queryNamesMax,
).refine((given) => Object.keys(given).length > 0, 'must have at least one parameter');

export const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

const notTime = 'must be a time of day such as 09:00, from 00:00 to 24:00';

const timeOfDay = boundedText(5, notTime).regex(/^(?:([01]\d|2[0-3]):[0-5]\d|24:00)$/, notTime);

const time = z
  .strictObject({
    days: anyOf(z.enum(weekdays), weekdays.length).describe(
      'The days of the week on which the span begins. If omitted, every day.',
    ),
    from: timeOfDay.optional().describe('The first minute, `HH:MM`. Default: `00:00`.'),
    to: timeOfDay
      .optional()
      .describe(
        'The minute at which it ends, `HH:MM`. Default: `24:00`. If it is before `from`, the span ends on the ' +
          'next day.',
      ),
    timezone: boundedText(timeZoneLengthMax, notTimeZone)
      .optional()
      .transform(canonicalTimeZone)
      .describe('The IANA time zone of the wall clock, such as `Europe/Berlin`. Default: `UTC`.'),
  })
  .refine(
    ({ days, from, to }) => days !== undefined || from !== undefined || to !== undefined,
    'must have at least one of days, from, to',
  )
  .refine(({ from = '00:00', to = '24:00' }) => from !== to && from !== '24:00', {
    path: ['from'],
    message: 'must differ from to, and be before 24:00',
  });

export const conditionKeys = [
  'country',
  'device',
  'os',
  'language',
  'browser',
  'query',
  'time',
  'after',
  'before',
] as const;

/** All given keys must match. A list matches if it has the scan's value. */
export const routingCondition = z
  .strictObject({
    country: anyOf(countryCode).describe(
      'Countries of the scanner: ISO 3166-1 alpha-2 codes, in upper or lower case.',
    ),
    device: anyOf(z.enum(devices), devices.length).describe('Kinds of device.'),
    os: anyOf(z.enum(operatingSystems), operatingSystems.length).describe(
      'Operating systems. `other` means any other system.',
    ),
    language: anyOf(language, languagesMax).describe(
      'Language ranges (RFC 4647, basic filtering), compared with what the scanner prefers: the tags of ' +
        '`Accept-Language` with the highest quality above 0. `de` matches `de` and `de-CH`; `de-CH` does not ' +
        'match `de`.',
    ),
    browser: anyOf(requiredLabel(browserLengthMax), browsersMax).describe(
      'Browsers, by the names that analytics have, such as `Chrome` or `Safari`, in upper or lower case.',
    ),
    query: query
      .optional()
      .describe(
        'Parameters in the query of the scanned URL: for each name a value, a list of values, or `true` if it ' +
          'only has to be there. Of a parameter that is given twice, the first value counts. A query of more ' +
          'than 2,000 characters or 50 parameters counts as empty. `s` names the source, and is refused.',
      ),
    time: time.optional().describe('A span of the week by the wall clock of a time zone.'),
    after: offsetInstant.optional().describe('Scans from this moment on match: ISO 8601 with an offset.'),
    before: offsetInstant.optional().describe('Scans before this moment match: ISO 8601 with an offset.'),
  })
  .refine(
    (condition) => Object.values(condition).some((values) => values !== undefined),
    `must have at least one of ${conditionKeys.join(', ')}`,
  )
  .refine(({ after, before }) => after === undefined || before === undefined || after < before, {
    path: ['before'],
    message: 'must be later than after',
  });

export type RoutingConditionBody = z.output<typeof routingCondition>;

/** As an answer has it. */
export const routingConditionObject = z
  .object({
    country: z.array(ownText()).optional().describe('Countries of the scanner: ISO 3166-1 alpha-2 codes.'),
    device: z.array(z.enum(devices)).optional().describe('Kinds of device.'),
    os: z
      .array(z.enum(operatingSystems))
      .optional()
      .describe('Operating systems. `other` means any other system.'),
    language: z.array(ownText()).optional().describe('Language ranges (RFC 4647, basic filtering).'),
    browser: z.array(ownText()).optional().describe('Browsers, by the names that analytics have.'),
    query: ownRecord(z.union([z.literal(true), z.array(ownText())]))
      .optional()
      .describe('Parameters of the scanned URL, with the values that match, or `true` if every value does.'),
    time: z
      .object({
        days: z.array(z.enum(weekdays)).optional().describe('The days of the week on which the span begins.'),
        from: ownText().optional().describe('The first minute, `HH:MM`.'),
        to: ownText().optional().describe('The minute at which the span ends, `HH:MM`.'),
        timezone: ownText().describe('The IANA time zone of the wall clock.'),
      })
      .optional()
      .describe('A span of the week by the wall clock of a time zone.'),
    after: z.iso.datetime().optional().describe('Scans from this moment on match: ISO 8601 in UTC.'),
    before: z.iso.datetime().optional().describe('Scans before this moment match: ISO 8601 in UTC.'),
  })
  .describe('Which scans match. All keys must match, each list by one of its values.');
