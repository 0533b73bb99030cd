/** Queries for exported files: all codes of a workspace, and the scans of a code. */
import { z } from 'zod';
import { boundedText, wholeNumberParameter } from './text.ts';

export const exportFormats = ['csv', 'ndjson', 'nginx-map'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export const codeExportQuery = z.object({
  format: z
    .enum(exportFormats)
    .default('csv')
    .describe(
      '`csv` for spreadsheet programs, `ndjson` for programs, `nginx-map` for nginx, which then redirects ' +
        'without this service.',
    ),
});

const dayMs = 86_400_000;
export const exportDaysMax = 90;
const exportDaysDefault = 30;

const notDay = 'must be a day such as 2030-01-31';
const isDay = (text: string): boolean => z.iso.date().safeParse(text).success;

const day = boundedText('2030-01-31'.length, notDay).refine(isDay, notDay);

const whyNoWindow = ({ days, from, to }: ScanExportQuery): [field: string, message: string] | undefined => {
  if (from === undefined && to === undefined) return undefined;
  if (days !== undefined) return ['days', 'must not be given together with from and to'];
  if (from === undefined || to === undefined)
    return [from === undefined ? 'from' : 'to', 'must be given together with the other end of the window'];
  const count = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
  if (count < 1) return ['to', 'must not be before from'];
  if (count > exportDaysMax)
    return [
      'to',
      `must be at most ${exportDaysMax - 1} days after from, so that the window has ${exportDaysMax}`,
    ];
  return undefined;
};

export const scanExportQuery = z
  .object({
    days: wholeNumberParameter(1, exportDaysMax)
      .optional()
      .describe(`The number of days in the window, including today. Default: ${exportDaysDefault}.`),
    from: day.optional().describe('The first day of the window, in UTC. Given with `to`, instead of `days`.'),
    to: day
      .optional()
      .describe(`The last day of the window, in UTC. The window has at most ${exportDaysMax} days.`),
  })
  .superRefine((query, context) => {
    const why = whyNoWindow(query);
    if (why) context.addIssue({ code: 'custom', path: [why[0]], message: why[1] });
  });

export interface ScanExportQuery {
  days?: number | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** A window of whole UTC days: `fromMs` inclusive, `toMs` exclusive. */
export interface ExportWindow {
  fromMs: number;
  toMs: number;
}

export const windowOf = (
  { days = exportDaysDefault, from, to }: ScanExportQuery,
  now: Date,
): ExportWindow => {
  const today = Math.floor(now.getTime() / dayMs) * dayMs;
  if (from !== undefined && to !== undefined)
    return { fromMs: Date.parse(from), toMs: Date.parse(to) + dayMs };
  return { fromMs: today - (days - 1) * dayMs, toMs: today + dayMs };
};
