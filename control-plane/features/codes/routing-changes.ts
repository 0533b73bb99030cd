/** The start, the schedule, the ways out and the parameters of a code: what a body makes of them. */
import { isDeepStrictEqual } from 'node:util';
import {
  defaultScanIdParameter,
  type RoutingExtras,
  type RoutingExtrasBody,
  routingKeys,
  type ScheduleEntry,
  scheduleRefusal,
} from '#schemas/api/code-routing.ts';
import { ClientError } from '#shared/errors.ts';
import type { CodeChanges, NewCode, WholeCode } from './store/code.ts';
import { isPast } from './store/routing.ts';

/** Whether a given value clears its field. */
export const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === false ||
  (typeof value === 'object' && Object.keys(value).length === 0);

/** Undefined without any key. */
const compact = (extras: object): RoutingExtras | null => {
  const set = Object.entries(extras).filter(([, value]) => !isEmpty(value));
  return set.length === 0 ? null : Object.fromEntries(set);
};

const given = (body: RoutingExtrasBody): object =>
  Object.fromEntries(
    routingKeys.flatMap((key) => {
      const value = key === 'scanIdParameter' && body[key] === true ? defaultScanIdParameter : body[key];
      return value === undefined ? [] : [[key, value]];
    }),
  );

/** @throws {ClientError} UNPROCESSABLE naming startsAt */
export const requireOrder = (extras: RoutingExtras | null, expiresAt: Date | null | undefined): void => {
  const { startsAt } = extras ?? {};
  if (startsAt === undefined || !expiresAt || startsAt < expiresAt.toISOString()) return;
  // Years after 9999 begin with a sign, and are later than any start.
  if (expiresAt.toISOString().startsWith('+')) return;
  throw new ClientError(
    'UNPROCESSABLE',
    `startsAt must be before expiresAt; given: ${startsAt}, and ${expiresAt.toISOString()}`,
  );
};

/** Changes of the destination are changes to come. @throws {ClientError} UNPROCESSABLE naming the entry */
const requireComing = (schedule: readonly ScheduleEntry[] | null | undefined, now: Date): void => {
  const past = schedule?.findIndex((entry) => isPast(entry, now)) ?? -1;
  if (past >= 0)
    throw new ClientError(
      'UNPROCESSABLE',
      `schedule[${past}].at must be in the future; given: ${schedule![past]!.at}`,
    );
};

/** @throws {ClientError} UNPROCESSABLE naming a field */
export const newRouting = (
  body: RoutingExtrasBody,
  expiresAt: Date | null,
  now: Date,
): NewCode['routing'] => {
  requireComing(body.schedule, now);
  const extras = compact(given(body));
  requireOrder(extras, expiresAt);
  return extras;
};

/**
 * The destination in effect stays unless it is replaced itself: of the past entries, the last one.
 * @param coming the changes to come that are sent; undefined keeps the stored ones
 */
const scheduleChange = (
  stored: readonly ScheduleEntry[] = [],
  coming: readonly ScheduleEntry[] | null | undefined,
  isReplaced: boolean,
  now: Date,
): readonly ScheduleEntry[] => {
  const kept = stored.filter((entry) => !isPast(entry, now));
  const isSame = coming === undefined || isDeepStrictEqual(coming ?? [], kept);
  const wanted = isSame ? kept : (coming ?? []);
  if (isReplaced) return wanted;
  return isSame ? stored : [...stored.filter((entry) => isPast(entry, now)).slice(-1), ...wanted];
};

/**
 * @param body checked
 * @param changes the other ones that the body makes
 * @throws {ClientError} UNPROCESSABLE naming a field
 */
export const routingChanges = (
  code: WholeCode,
  body: RoutingExtrasBody,
  changes: CodeChanges,
  now: Date,
): Pick<CodeChanges, 'routing'> => {
  const { routing, expiresAt, dataType } = code;
  if (body.schedule?.length && dataType !== 'url')
    throw new ClientError('UNPROCESSABLE', `schedule ${scheduleRefusal(dataType)}`);
  const isReplaced = changes.destination !== undefined;
  const sent = given(body);
  if (Object.keys(sent).length === 0 && !(isReplaced && routing?.schedule)) {
    requireOrder(routing, changes.expiresAt);
    return {};
  }
  requireComing(body.schedule, now);
  const schedule = scheduleChange(routing?.schedule, body.schedule, isReplaced, now);
  const extras = compact({ ...routing, ...sent, schedule });
  requireOrder(extras, changes.expiresAt === undefined ? expiresAt : changes.expiresAt);
  return { routing: extras };
};
