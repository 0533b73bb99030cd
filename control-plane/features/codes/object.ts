/** A code as the API shows it. */
import type { CodeObject } from '#schemas/api/codes.ts';
import type { Code } from './store.ts';

/** What the pattern encodes. */
export const redirectUrl = (qrHost: string, id: string): string => `${qrHost}/r/${id}`;

export const toCodeObject = (code: Code, scanCount: number, qrHost: string): CodeObject => ({
  id: code.id,
  type: 'dynamic',
  name: code.name,
  dataType: code.dataType,
  destination: code.destination,
  redirectUrl: redirectUrl(qrHost, code.id),
  status: code.status,
  encrypted: false,
  passwordProtected: false,
  expiresAt: null,
  maxScans: null,
  scanCount,
  secure: [],
  createdAt: code.createdAt.toISOString(),
  updatedAt: code.updatedAt.toISOString(),
});
