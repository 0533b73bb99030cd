/** A brand kit as PostgreSQL holds it. */
import type { BrandKitFields } from '#schemas/api/brand-kits.ts';

export interface BrandKit {
  kitId: string;
  workspaceId: string;
  name: string;
  fields: BrandKitFields;
  createdBy: string;
  /** Grows by one with every change. */
  version: number;
  /** The version with which the logoUrl was sent. */
  logoVersion: number;
  createdAt: Date;
  updatedAt: Date;
  deleted: boolean;
}
