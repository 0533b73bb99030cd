/**
 * Scans of codes that do not exist, at a workspace's domain, as redirectors report them to the control plane: a line of JSON for
 * each path and day.
 */
import { z } from 'zod';

/** A longer path is cut. */
export const unknownPathLengthMax = 200;

export const reportedUnknownCode = z.object({
  workspaceId: z.string().max(100),
  domain: z.string().max(253),
  /** In UTC. */
  day: z.iso.date(),
  path: z.string().max(unknownPathLengthMax),
  scans: z.number().int().positive(),
  /** The last one, in epoch milliseconds. */
  lastAtMs: z.number().int().min(0).max(Date.UTC(2100, 0)),
});
export type ReportedUnknownCode = z.infer<typeof reportedUnknownCode>;
