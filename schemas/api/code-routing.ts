/** When a code starts, changes and ends, and what is added to the URLs that its scans lead to. */
import { z } from 'zod';
import type { DataType } from './data-types.ts';
import type { createDestination } from './destination.ts';
import { offsetInstant } from './instants.ts';
import type { Refusal } from './protection.ts';
import { parameterName, sourceParameter } from './routing-conditions.ts';
import { boundedArray, boundedRecord, label, ownRecord, ownText } from './text.ts';

type Destination = ReturnType<typeof createDestination>;

export const scheduleMax = 50;
const parametersMax = 20;
const parameterLengthMax = 500;
/** Of all parameters, percent-encoded: proxies accept a Location of 4,096 characters and this. */
export const parametersLengthMax = 2_000;

/** What a value may hold in braces. */
export const placeholders = ['country', 'device', 'os', 'source', 'variant', 'code', 'language'] as const;
export type Placeholder = (typeof placeholders)[number];
const placeholderList = placeholders.map((name) => `{${name}}`).join(', ');

/** Parameters of ours, which a destination does not get from a scan. */
export const ownParameters: readonly string[] = [sourceParameter, 'password'];

export const defaultScanIdParameter = 'wm_sid';

const entryOf = (destination: Destination) =>
  z.strictObject({
    at: offsetInstant.describe('From this moment on: ISO 8601 with an offset.'),
    destination: destination.describe('The destination of the code: an absolute http or https URL.'),
  });

const scheduleOf = (destination: Destination) =>
  boundedArray(entryOf(destination), { max: scheduleMax }).superRefine((entries, context) => {
    for (const [index, { at }] of entries.entries())
      if (index > 0 && at <= entries[index - 1]!.at)
        context.addIssue({
          code: 'custom',
          path: [index, 'at'],
          message: 'must be later than the one before',
        });
  });

const unknownPlaceholder = (template: string): boolean =>
  [...template.matchAll(/\{([a-z]+)\}/gi)].some(([, name]) => !placeholders.some((known) => known === name));

const template = label(parameterLengthMax).refine(
  (text) => !unknownPlaceholder(text),
  `must have no other placeholders than ${placeholderList}`,
);

/** As in a query, with the signs around name and value. */
const encodedLength = (parameters: Readonly<Record<string, string>>): number =>
  Object.entries(parameters).reduce(
    (sum, each) => sum + each.map((text) => encodeURIComponent(text.toWellFormed())).join('&=').length,
    0,
  );

const parameters = boundedRecord(parameterName, template, parametersMax).refine(
  (given) => encodedLength(given) <= parametersLengthMax,
  `must have at most ${parametersLengthMax} characters together, percent-encoded`,
);

/** In a merge patch: all stored ones may be removed, and as many sent. */
export const parametersPatch = boundedRecord(parameterName, template.nullable(), 2 * parametersMax)
  .nullable()
  .optional()
  .describe(
    'Parameters to add to the URL that a scan leads to. They are merged into the stored ones: parameters that are ' +
      'not sent stay, and `null` removes one.',
  );

const scanIdParameter = z.union([z.boolean(), parameterName], {
  error: ({ input }) => (input === undefined ? undefined : 'must be a string, true or false'),
});

/** Each can be set at creation and later; `null` clears it. */
export const createRoutingExtras = (destination: Destination) => ({
  startsAt: offsetInstant
    .nullable()
    .optional()
    .describe(
      'When the code starts: ISO 8601 with an offset, before `expiresAt`. Until then scans get a page that says ' +
        'so, with 404 and the code `CODE_NOT_STARTED`, or are sent to `beforeStartUrl`. `null` removes it.',
    ),
  beforeStartUrl: destination
    .nullable()
    .optional()
    .describe(
      'Where scans before `startsAt` are redirected: an absolute http or https URL. Programs, which do not ask for ' +
        'HTML, get the 404. `null` removes it.',
    ),
  expiredUrl: destination
    .nullable()
    .optional()
    .describe(
      'Where scans are redirected once the code has expired or its scan cap is reached: an absolute http or https ' +
        'URL. Programs, which do not ask for HTML, get the 410. `null` removes it.',
    ),
  schedule: scheduleOf(destination)
    .nullable()
    .optional()
    .describe(
      'Changes of the destination to come, for a code of the type `url`: from each `at` on, `destination` is the ' +
        'destination of the code. Redirectors decide by their clock, and nothing has to be sent at that moment. ' +
        'Each `at` is later than the one before. The list takes the place of the changes that are still to come; ' +
        '`[]` and `null` remove them. The destination that is in effect stays.',
    ),
  forwardQuery: z
    .boolean()
    .nullable()
    .optional()
    .describe(
      'Whether the query of the scanned URL is added to the URL that a scan leads to. A forwarded parameter takes ' +
        'the place of one of the same name. `s` and `password` are not forwarded. A query of more than 2,000 ' +
        'characters or 50 parameters is not forwarded at all. `null` is false.',
    ),
  parameters: parameters
    .nullable()
    .optional()
    .describe(
      'Parameters to add to the URL that a scan leads to, such as `{"utm_source": "qr", "utm_content": "{source}"}`. ' +
        `A value may hold the placeholders ${placeholderList}; a value that is empty for a scan is left out. A ` +
        'parameter that the URL has already stays as it is. With names, in percent-encoding, they have at most ' +
        `${parametersLengthMax} characters. \`null\` and \`{}\` remove them.`,
    ),
  scanIdParameter: scanIdParameter
    .nullable()
    .optional()
    .describe(
      'The name of a parameter in which the URL that a scan leads to gets the id of the scan, for the attribution ' +
        `of conversions. \`true\` means \`${defaultScanIdParameter}\`. \`null\` and \`false\` remove it.`,
    ),
});

export type RoutingExtrasBody = {
  [Key in keyof ReturnType<typeof createRoutingExtras>]?: z.output<
    ReturnType<typeof createRoutingExtras>[Key]
  >;
};

export const routingKeys = [
  'startsAt',
  'beforeStartUrl',
  'expiredUrl',
  'schedule',
  'forwardQuery',
  'parameters',
  'scanIdParameter',
] as const satisfies readonly (keyof RoutingExtrasBody)[];

/** A schedule changes a location: the payloads of other types are built from fields, and have pages of their own. */
export const scheduleRefusal = (dataType: DataType): string =>
  `must not be given for the dataType ${dataType}`;

/** The fields of a create that do not go with its others. */
export const routingRefusals = ({
  dataType,
  schedule,
}: {
  dataType?: DataType | undefined;
  schedule?: unknown;
}): Refusal[] =>
  Array.isArray(schedule) && schedule.length > 0 && dataType !== undefined && dataType !== 'url'
    ? [['schedule', scheduleRefusal(dataType)]]
    : [];

/** As stored: unset keys are absent. */
export interface RoutingExtras {
  startsAt?: string;
  beforeStartUrl?: string;
  expiredUrl?: string;
  /** Past entries, too: the last of them is in effect. */
  schedule?: ScheduleEntry[];
  forwardQuery?: true;
  parameters?: Record<string, string>;
  scanIdParameter?: string;
}

export interface ScheduleEntry {
  /** ISO 8601 in UTC, with milliseconds: later instants are greater texts. */
  at: string;
  destination: string;
}

/** As an answer has them: each only if it is set. */
export const routingExtrasObject = {
  startsAt: z.iso
    .datetime()
    .optional()
    .describe('When the code starts: ISO 8601 in UTC. Omitted if it has no start.'),
  beforeStartUrl: ownText()
    .optional()
    .describe('Where scans before `startsAt` are redirected. Omitted if it is not set.'),
  expiredUrl: ownText()
    .optional()
    .describe(
      'Where scans are redirected once the code has expired or its scan cap is reached. Omitted if it is not set.',
    ),
  schedule: z
    .array(
      z.object({
        at: z.iso.datetime().describe('From this moment on: ISO 8601 in UTC.'),
        destination: ownText().describe('The destination of the code.'),
      }),
    )
    .optional()
    .describe(
      'The changes of `destination` that are still to come, the next one first. Omitted if there are no changes to ' +
        'come.',
    ),
  forwardQuery: z
    .literal(true)
    .optional()
    .describe('The query of the scanned URL is added to the URL that a scan leads to. Omitted if it is not.'),
  parameters: ownRecord(ownText())
    .optional()
    .describe(
      'Parameters that are added to the URL that a scan leads to. Omitted if there are no parameters.',
    ),
  scanIdParameter: ownText()
    .optional()
    .describe('The name of the parameter with the id of the scan. Omitted if there is no such parameter.'),
};
