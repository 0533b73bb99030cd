/** The routing rules of a code, checked against a scan. */
import type { CodeExplanation } from '#schemas/api/explain.ts';
import { weekdays } from '#schemas/api/routing-conditions.ts';
import type { CodeRecord, FurtherCondition, RoutingCondition } from '#schemas/code-record.ts';
import type { DecidingScan } from '#shared/decide/decide.ts';
import { preferredLanguages } from '#shared/decide/preferred-languages.ts';
import { furtherChecks, hasParameter } from '#shared/decide/rules.ts';
import { scanParameter } from '#shared/decide/scan-query.ts';
import { wallClock } from '#shared/decide/wall-clock.ts';

export type ExplainedRule = CodeExplanation['rules'][number];
type Failed = ExplainedRule['failed'];

const plainKeys = ['country', 'device', 'os'] as const;

const failedPlain = (condition: RoutingCondition, scan: DecidingScan): Failed =>
  plainKeys.flatMap((key) => {
    const wanted: readonly string[] | undefined = condition[key];
    if (wanted === undefined || wanted.includes(scan[key])) return [];
    return [{ condition: key, wanted: [...wanted], found: scan[key] || null }];
  });

const twoDigits = (value: number): string => String(value).padStart(2, '0');

const timeText = (minute: number): string =>
  `${twoDigits(Math.floor(minute / 60))}:${twoDigits(minute % 60)}`;

const spanText = ({ days, fromMinute, toMinute, timeZone }: NonNullable<FurtherCondition['time']>): string =>
  [
    days?.map((day) => weekdays[day]).join(', ') ?? 'every day',
    `from ${timeText(fromMinute)} to ${timeText(toMinute)}${toMinute < fromMinute ? ' of the next day' : ''}`,
    timeZone,
  ].join(' ');

const clockText = (timeZone: string, nowMs: number): string | null => {
  const clock = wallClock(timeZone, nowMs);
  return clock ? `${weekdays[clock.weekday]} ${timeText(clock.minute)} ${timeZone}` : null;
};

const isoOf = (ms: number): string => new Date(ms).toISOString();

/** Each parameter that does not match, with what would. */
const failedQuery = (query: NonNullable<FurtherCondition['query']>, scan: DecidingScan): Failed =>
  Object.entries(query)
    .filter(([name, wanted]) => !hasParameter(name, wanted, scan))
    .map(([name, wanted]) => {
      const value = scanParameter(scan.asked.query(), name);
      return {
        condition: 'query' as const,
        wanted: wanted === true ? [`${name} with any value`] : wanted.map((each) => `${name}=${each}`),
        found: value === undefined ? null : `${name}=${value}`,
      };
    });

const failedTimes = ({ time, afterMs, beforeMs }: FurtherCondition, scan: DecidingScan): Failed => {
  const found = isoOf(scan.nowMs);
  return [
    ...(time && !furtherChecks.time(time, scan)
      ? [
          {
            condition: 'time' as const,
            wanted: [spanText(time)],
            found: clockText(time.timeZone, scan.nowMs),
          },
        ]
      : []),
    ...(afterMs !== undefined && !furtherChecks.afterMs(afterMs, scan)
      ? [{ condition: 'after' as const, wanted: [`${isoOf(afterMs)} and later`], found }]
      : []),
    ...(beforeMs !== undefined && !furtherChecks.beforeMs(beforeMs, scan)
      ? [{ condition: 'before' as const, wanted: [`earlier than ${isoOf(beforeMs)}`], found }]
      : []),
  ];
};

const failedFurther = (further: FurtherCondition, scan: DecidingScan): Failed => {
  const { language, browser, query } = further;
  const languages = preferredLanguages(scan.asked.acceptLanguage()).join(', ');
  return [
    ...(language && !furtherChecks.language(language, scan)
      ? [{ condition: 'language' as const, wanted: [...language], found: languages || null }]
      : []),
    ...(browser && !furtherChecks.browser(browser, scan)
      ? [{ condition: 'browser' as const, wanted: [...browser], found: scan.browser || null }]
      : []),
    ...(query ? failedQuery(query, scan) : []),
    ...failedTimes(further, scan),
  ];
};

const failedConditions = (condition: RoutingCondition, scan: DecidingScan): Failed => [
  ...failedPlain(condition, scan),
  ...(condition.further ? failedFurther(condition.further, scan) : []),
];

/** The rules up to the first match. */
export const explainRules = ({ rules = [] }: CodeRecord, scan: DecidingScan): ExplainedRule[] => {
  const looked = rules.map(({ id, condition }) => {
    const failed = failedConditions(condition, scan);
    return { id, matches: failed.length === 0, failed };
  });
  const first = looked.findIndex(({ matches }) => matches);
  return first < 0 ? looked : looked.slice(0, first + 1);
};
