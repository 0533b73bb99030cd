/** A workspace's scans and conversions by the URL that they led to. */

import type { CodeFacts } from '../../codes-of.ts';
import type { Selection } from '../../single-scans.ts';
import { literal, literals } from '../../sql.ts';
import {
  type GroupFigures,
  type Groups,
  type GroupsAsked,
  groupsBySingleScans,
  readCodeGroups,
} from '../groups.ts';
import type { AskScans } from '../query.ts';
import { type Led, ledTo, readTimelines, type Timeline } from './timelines.ts';

/** Those with the most scans; further ones are in `other`. */
export const destinationCodesMax = 500;
/** Of codes, phases, rules, variants and systems; the rarest are in `other`. */
export const combinationsMax = 50_000;

const separator = '\u0001';

/** SQL: which phase of its code a scan is in. Codes with one phase are not looked at. */
const phase = (timelines: ReadonlyMap<string, Timeline>): string => {
  const divided = [...timelines].filter(([, { phases }]) => phases.length > 1);
  if (divided.length === 0) return `'0'`;
  const ids = literals(divided.map(([id]) => id));
  const numbers = divided.map((_, at) => at + 1).join(', ');
  const ends = divided.map(
    ([, { phases }]) => `[${phases.slice(1).map(({ fromMs }) => Math.trunc(fromMs))}]`,
  );
  const ofCode = `transform(code_id, [${ids}], [${numbers}], 0)`;
  return `toString(arrayCount(at -> at <= toUnixTimestamp64Milli(ts), [${ends.join(', ')}][${ofCode}]))`;
};

/** SQL: the facts on which the destination of a scan depends, as one text. */
export const factsOf = (timelines: ReadonlyMap<string, Timeline>): string => {
  const linked = [...timelines].filter(([, { phases }]) =>
    phases.some(({ setup }) => (setup?.ios ?? setup?.android) !== undefined),
  );
  const os =
    linked.length === 0 ? `''` : `if(code_id IN (${literals(linked.map(([id]) => id))}), toString(os), '')`;
  return `arrayStringConcat([code_id, ${phase(timelines)}, rule_id, variant_id, ${os}], ${literal(separator)})`;
};

/** @param facts as {@link factsOf} writes them */
export const ledBy = (timelines: ReadonlyMap<string, Timeline>, facts: string): Led => {
  const [code = '', at = '0', ruleId = '', variantId = '', os = ''] = facts.split(separator);
  const timeline = timelines.get(code);
  return timeline ? ledTo(timeline, { phase: Number(at), ruleId, variantId, os }) : 'unknown';
};

const nothing: GroupFigures = { scans: 0, previousScans: 0 };

const add = (one: GroupFigures, other: GroupFigures): GroupFigures => ({
  scans: one.scans + other.scans,
  previousScans: one.previousScans + other.previousScans,
});

const minus = (one: GroupFigures, other: GroupFigures): GroupFigures => ({
  scans: one.scans - other.scans,
  previousScans: one.previousScans - other.previousScans,
});

export interface DestinationGroups extends Groups {
  /** Scans that led to what is not known any more. */
  unknown: GroupFigures;
}

/** The part of a selection that is of some codes. */
export const among = (selection: Selection, ids: readonly string[]): Selection => ({
  ...selection,
  codes: [...selection.codes, { not: false, values: ids }],
});

/** @throws {ClientError} INVALID_REQUEST if the codes changed too often; else as {@link AskScans} */
export const readDestinationGroups = async (
  ask: AskScans,
  { db }: CodeFacts,
  asked: GroupsAsked,
): Promise<DestinationGroups> => {
  const { selection, window, previous } = asked;
  const byCode = await readCodeGroups(ask, { ...asked, limit: destinationCodesMax });
  const ids = byCode.rows.map(({ value }) => value);
  const whole = { fromMs: previous?.fromMs ?? window.fromMs, toMs: window.toMs };
  const timelines = await readTimelines(db, selection.workspaceId, ids, whole);
  const found = await groupsBySingleScans(
    ask,
    { ...asked, selection: among(selection, ids), limit: combinationsMax },
    factsOf(timelines),
  );
  const sums = new Map<string, GroupFigures>();
  let [none, unknown] = [nothing, nothing];
  for (const { value, ...figures } of found.rows) {
    const led = ledBy(timelines, value);
    if (led === 'none') none = add(none, figures);
    else if (led === 'unknown') unknown = add(unknown, figures);
    else sums.set(led.destination, add(sums.get(led.destination) ?? nothing, figures));
  }
  const rows = [...sums]
    .map(([value, figures]) => ({ value, ...figures }))
    .sort((a, b) => b.scans - a.scans || b.previousScans - a.previousScans || (a.value < b.value ? -1 : 1));
  const told = found.rows.reduce<GroupFigures>(add, nothing);
  return { total: byCode.total, none, unknown, rows, rest: minus(byCode.total, told) };
};
