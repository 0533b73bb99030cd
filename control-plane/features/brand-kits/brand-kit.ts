/** A brand kit as stored in PostgreSQL. */
import type { BrandKitFields } from '#schemas/api/brand-kits.ts';

export interface BrandKit {
  kitId: string;
  workspaceId: string;
  name: string;
  fields: BrandKitFields;
  createdBy: string;
  /** Grows by one with every change. */
  version: number;
  /** The version that set the logoUrl. */
  logoVersion: number;
  createdAt: Date;
  updatedAt: Date;
  deleted: boolean;
}
