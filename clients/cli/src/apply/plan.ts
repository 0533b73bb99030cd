/** What `waymark apply` would do: each code of the file beside the code that the service has. */
import { isDeepStrictEqual } from 'node:util';
import { type components, ok, type Waymark, WaymarkError } from '@waymark/client';
import type { WantedCode } from './file.ts';

type Code = components['schemas']['CodeWithConfiguration'];

export interface FieldChange {
  field: string;
  from: unknown;
  to: unknown;
}

export type PlannedCode = { wanted: WantedCode } & (
  | { action: 'create' }
  | { action: 'unchanged' }
  | { action: 'update'; changes: readonly FieldChange[] }
);

/** Never shown, so that they cannot be compared: sent with a create, and with other changes. */
const hidden = new Set(['password', 'encryption', 'secure']);

/** A change of these is refused; a code keeps what it was created with. */
const fixed = new Set(['dataType', 'sources']);

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** The value of a field of a create, as GET shows it. */
const shownValue = (code: Code, field: string): unknown => {
  const shown = code as Record<string, unknown>;
  if (field === 'data') return isEmpty(shown.data) ? code.destination : shown.data;
  if (field in shown) return shown[field];
  return (code.style as Record<string, unknown> | undefined)?.[field];
};

/** Objects may have further keys that the service filled in; instants may be written in several ways. */
const isSame = (wanted: unknown, shown: unknown): boolean => {
  if (isEmpty(wanted) && isEmpty(shown)) return true;
  if (Array.isArray(wanted) && Array.isArray(shown))
    return wanted.length === shown.length && wanted.every((entry, at) => isSame(entry, shown[at]));
  if (typeof wanted === 'object' && wanted !== null && typeof shown === 'object' && shown !== null)
    return Object.entries(wanted).every(([key, value]) =>
      isSame(value, (shown as Record<string, unknown>)[key]),
    );
  if (typeof wanted === 'string' && typeof shown === 'string' && /^\d{4}-\d\d-\d\d/.test(wanted))
    return wanted === shown || Date.parse(wanted) === Date.parse(shown);
  return isDeepStrictEqual(wanted, shown);
};

const changesOf = (wanted: WantedCode, code: Code): FieldChange[] =>
  Object.entries(wanted).flatMap(([field, to]) => {
    const from = shownValue(code, field);
    return field === 'externalId' || hidden.has(field) || fixed.has(field) || isSame(to, from)
      ? []
      : [{ field, from, to }];
  });

const find = async (waymark: Waymark, externalId: string): Promise<Code | undefined> => {
  try {
    return await ok(waymark.GET('/api/qr/codes/{id}', { params: { path: { id: `ext_${externalId}` } } }));
  } catch (error) {
    if (error instanceof WaymarkError && error.status === 404) return undefined;
    throw error;
  }
};

/** @throws {WaymarkError} if a code cannot be read */
export const planCode = async (waymark: Waymark, wanted: WantedCode): Promise<PlannedCode> => {
  const code = await find(waymark, wanted.externalId);
  if (!code) return { wanted, action: 'create' };
  const changes = changesOf(wanted, code);
  return changes.length === 0 ? { wanted, action: 'unchanged' } : { wanted, action: 'update', changes };
};
