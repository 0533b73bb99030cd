/** /api/conversions */
import { z } from 'zod';
import { type ConversionResult, type ConversionResults, conversionsMax } from '#schemas/api/conversions.ts';
import { ClientError } from '#shared/errors.ts';
import { quoted } from '#shared/quoted.ts';
import { type Operation, operation } from '../../api/http/operation.ts';
import { createFairGate } from '../../platform/fair-queue/fair-gate.ts';
import { reportConversionsDocs } from './docs.ts';
import { resultOf, type TakeReports } from './report.ts';

const gateOptions = {
  runningMax: 8,
  waitingMax: 128,
  waitingPerTenantMax: 16,
  waitMsMax: 10_000,
  messages: {
    tenantFull: 'Too many reports of conversions of this workspace are being taken; send fewer calls at once',
    busy: 'Too many reports of conversions are being taken; try again shortly',
  },
};

const countOf = (results: readonly ConversionResult[], status: ConversionResult['status']): number =>
  results.filter((each) => each.status === status).length;

const summaryOf = (results: ConversionResult[]): ConversionResults => ({
  recorded: countOf(results, 'recorded'),
  repeated: countOf(results, 'repeated'),
  refused: countOf(results, 'refused'),
  results,
});

/** @throws {ClientError} INVALID_REQUEST for neither a report nor a list of a fitting length */
const reportsOf = (body: unknown): readonly unknown[] => {
  if (!Array.isArray(body)) {
    if (typeof body === 'object' && body !== null) return [body];
    throw new ClientError(
      'INVALID_REQUEST',
      `The body must be a conversion, or an array of conversions; given: ${quoted(body)}`,
    );
  }
  if (body.length === 0 || body.length > conversionsMax)
    throw new ClientError(
      'INVALID_REQUEST',
      `The body must have from 1 to ${conversionsMax} conversions; given: ${body.length}`,
      { fault: 'length' },
    );
  return body;
};

export const createConversionOperation = (take: TakeReports): Operation => {
  const gate = createFairGate(gateOptions);
  return operation({
    method: 'post',
    path: '/api/conversions',
    // Reports are checked one by one: a wrong one does not fail the others.
    body: z.unknown(),
    docs: reportConversionsDocs,
    async handle({ principal: { workspaceId }, body }) {
      const reports = reportsOf(body);
      const outcomes = await gate.pass({ tenant: workspaceId, cost: reports.length }, () =>
        take(workspaceId, reports),
      );
      if (Array.isArray(body)) return { status: 200, body: summaryOf(outcomes.map(resultOf)) };
      const [outcome] = outcomes;
      if (outcome instanceof ClientError) throw outcome;
      return { status: 201, body: outcome };
    },
  });
};
