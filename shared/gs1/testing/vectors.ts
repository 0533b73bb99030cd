/**
 * Cases from GS1's own public tests (GS1 Barcode Syntax Engine, Apache-2.0): inputs and verdicts. In raw form `^` means
 * FNC1.
 */
import vectors from './vectors.json' with { type: 'json' };

/** The possible facts of a case. */
export interface Vector {
  id?: string;
  input: string;
  valid: boolean;
  form?: string;
  scope?: string;
  fullValid?: boolean;
  fullCode?: string;
  option?: string;
  code?: string;
  message?: string;
  raw?: string;
  bracketed?: string;
  canonical?: string;
}

export const { generate, keyQualifierPaths, epcBinary, toolkit } = vectors;
export const elementStrings: readonly Vector[] = vectors.elementStrings;
export const digitalLinks: readonly Vector[] = [...vectors.digitalLinks, ...vectors.observed];

/** Kinds of faults whose message is from the broken content rule. */
const contentCodes = new Set([
  'charset-39',
  'charset-82',
  'check-digit',
  'check-pair',
  'coupon',
  'currency-code',
  'gcp-invalid',
  'gcp-too-short',
  'iban',
  'importer-index',
  'latitude',
  'minute',
  'not-hyphen',
  'piece-of-total',
  'zero-required',
]);

/** Our name for a case's fault. */
export const faultOf = (code: string | undefined): string | undefined =>
  code !== undefined && contentCodes.has(code) ? 'content' : code;
