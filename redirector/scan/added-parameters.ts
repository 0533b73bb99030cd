/** Adds the parameters of a code to the location that a scan leads to: only for codes that have some. */
import type { AddedParameters } from '#schemas/code-record.ts';
import type { ScanEvent } from '#schemas/scan-event.ts';
import { withAdded } from '#shared/decide/parameters.ts';
import type { Leading } from './outcome.ts';
import type { ScanRequest } from './request.ts';

/** What parameters may say of a scan. */
export type AddedFacts = Pick<
  ScanEvent,
  'country' | 'device' | 'os' | 'source' | 'variantId' | 'codeId' | 'tsMs'
>;

/** @param facts of the scan, which is recorded next if a parameter has its id */
export type AddParameters = (
  request: ScanRequest,
  decision: Leading,
  added: AddedParameters,
  facts: AddedFacts,
) => Leading;

/** @param nextScanId the id of the scan that is recorded next */
export const createAddParameters =
  (nextScanId: (scan: Pick<ScanEvent, 'codeId' | 'tsMs'>) => string): AddParameters =>
  (request, decision, added, facts) => {
    const { country, device, os, source, variantId, codeId } = facts;
    return withAdded(decision, added, {
      facts: { country, device, os, source, variant: variantId, code: codeId },
      acceptLanguage: () => request.acceptLanguage(),
      query: () => request.query(),
      scanId: added.scanId === undefined ? undefined : nextScanId(facts),
    });
  };
