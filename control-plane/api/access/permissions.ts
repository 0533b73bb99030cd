/** Which permission an operation takes of a key that has a list of them. */
import { type Permission, permissions } from '#schemas/api/permissions.ts';
import { ClientError } from '#shared/errors.ts';

/** `any`: every key may call it. */
export type OperationPermission = Permission | 'any';

/** Whose data the operations below a path read and write; the longest path counts. */
const subjects: readonly (readonly [path: string, subject: string])[] = [
  ['/api/qr/codes/:id/analytics', 'analytics'],
  ['/api/qr/codes/:id/scans.csv', 'analytics'],
  ['/api/qr/analytics', 'analytics'],
  ['/api/qr/scans', 'analytics'],
  ['/api/conversions', 'conversions'],
  ['/api/qr/codes', 'codes'],
  ['/api/qr/aliases', 'codes'],
  ['/api/qr/tags', 'codes'],
  ['/api/qr/folders', 'codes'],
  ['/api/qr/generate', 'codes'],
  ['/api/qr/bulk-generate', 'codes'],
  ['/api/qr/imports', 'codes'],
  ['/api/qr/landing-pages', 'pages'],
  ['/api/qr/forms/:formId/submissions', 'submissions'],
  ['/api/qr/forms', 'pages'],
  ['/api/qr/menus', 'pages'],
  ['/api/qr/brand-kits', 'brand-kits'],
  ['/api/qr/gs1', 'gs1'],
  ['/api/qr/serialized-batches', 'serialized'],
  ['/api/qr/events', 'events'],
  ['/api/qr/audit-log', 'audit-log'],
  ['/api/qr/settings', 'settings'],
  ['/api/qr/keys', 'keys'],
  ['/api/qr/request-logs', 'request-logs'],
  ['/api/webhooks', 'webhooks'],
  ['/api/domains', 'domains'],
  ['/api/branding', 'branding'],
  ['/api/subscription', 'billing'],
];

const isBelow = (path: string, parent: string): boolean =>
  path.startsWith(parent) && ['', '/', '.'].includes(path.charAt(parent.length));

/**
 * The permission that an operation declares, or that of its path: `read` for a GET, `write` for any other method.
 * @returns undefined if neither says one: then only keys without a list of permissions may call it
 */
export const permissionOf = (operation: {
  path: string;
  method: string;
  permission?: OperationPermission;
}): OperationPermission | undefined => {
  if (operation.permission) return operation.permission;
  const subject = subjects.find(([path]) => isBelow(operation.path, path))?.[1];
  const name = `${subject}:${operation.method === 'get' ? 'read' : 'write'}`;
  return permissions.find((each) => each === name);
};

/** Whether a list of permissions has one, itself or because it may write. */
export const hasPermission = (held: readonly Permission[], wanted: Permission): boolean =>
  held.includes(wanted) || held.some((each) => each === wanted.replace(/:read$/, ':write'));

/** @throws {ClientError} PERMISSION_MISSING, with the permission */
export const requirePermission = (
  held: readonly Permission[],
  wanted: OperationPermission | undefined,
): void => {
  if (wanted === 'any' || (wanted !== undefined && hasPermission(held, wanted))) return;
  throw wanted === undefined
    ? new ClientError('PERMISSION_MISSING', 'This needs an API key without a list of permissions')
    : new ClientError('PERMISSION_MISSING', `The API key lacks the permission ${wanted}`, {
        fields: { permission: wanted },
      });
};
