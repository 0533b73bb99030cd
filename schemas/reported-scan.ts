/**
 * A scan of a dynamic code as redirectors report it to the control plane, if a webhook of its workspace follows
 * `scan.created`: a line of JSON in a spool of its own. Keys without a value are absent.
 */
import { z } from 'zod';
import { devices } from './scan-event.ts';

/** Of destinations, with room for what their check allows, and of names. */
const locationLengthMax = 8192;
const nameLengthMax = 200;

export const reportedScan = z.object({
  /** The id of the resulting event: `evt_` and 16 characters of base58. */
  id: z.string().regex(/^evt_[1-9A-HJ-NP-Za-km-z]{16}$/),
  workspaceId: z.string().max(100),
  codeId: z.string().max(100),
  /** Epoch milliseconds. */
  atMs: z.number().int().min(0).max(Date.UTC(2100, 0)),
  /** ISO 3166-1 alpha-2; empty if unknown. */
  country: z.string().regex(/^([A-Z]{2})?$/),
  device: z.enum(devices),
  routedTo: z.string().max(locationLengthMax).optional(),
  variantId: z.string().max(nameLengthMax).optional(),
  variantName: z.string().max(nameLengthMax).optional(),
});
export type ReportedScan = z.infer<typeof reportedScan>;
