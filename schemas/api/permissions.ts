/** What a key may do, beyond its role. */
import { z } from 'zod';

/** `write` of something includes `read`. */
export const permissions = [
  'codes:read',
  'codes:write',
  'analytics:read',
  'conversions:write',
  'pages:read',
  'pages:write',
  'submissions:read',
  'submissions:write',
  'brand-kits:read',
  'brand-kits:write',
  'gs1:read',
  'gs1:write',
  'serialized:read',
  'serialized:write',
  'webhooks:read',
  'webhooks:write',
  'events:read',
  'domains:read',
  'domains:write',
  'branding:read',
  'branding:write',
  'billing:read',
  'request-logs:read',
  'audit-log:read',
  'settings:read',
  'settings:write',
  'keys:read',
  'keys:write',
] as const;

export const permission = z.enum(permissions);

export type Permission = (typeof permissions)[number];
