/** Checks of the whole call: its presets exist, and its brand kits belong to the caller. */
import { presets } from '#schemas/api/style.ts';
import { ClientError, type FaultCode } from '#shared/errors.ts';
import { quoted } from '#shared/quoted.ts';
import type { BrandKits } from '../../brand-kits/kits.ts';
import type { CallRow } from '../engine/call-rows.ts';

const refuse = (at: number, uid: string, what: string, fault: FaultCode): never => {
  throw new ClientError('INVALID_REQUEST', `rows[${at}].${what} (uid ${quoted(uid)})`, { fault });
};

const knownPresets: readonly unknown[] = presets;

/** @throws {ClientError} INVALID_REQUEST naming the first row with an unknown preset, or a kit that cannot be applied */
export const requireLooks = async (
  kits: Pick<BrandKits, 'applicable'>,
  workspaceId: string,
  rows: readonly CallRow[],
): Promise<void> => {
  const applicable = new Set<string>();
  for (const [at, { uid, row }] of rows.entries()) {
    const { preset, brandKitId } = row;
    if (preset !== undefined && !knownPresets.includes(preset))
      refuse(at, uid, `preset must be one of ${presets.join(', ')}; given: ${quoted(preset)}`, 'enum');
    if (brandKitId === undefined) continue;
    if (typeof brandKitId !== 'string')
      return refuse(at, uid, `brandKitId must be a string; given: ${quoted(brandKitId)}`, 'type');
    if (applicable.has(brandKitId)) continue;
    try {
      await kits.applicable(workspaceId, brandKitId);
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      refuse(at, uid, error.message, error.fault);
    }
    applicable.add(brandKitId);
  }
};
