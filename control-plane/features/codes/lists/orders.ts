/** The orders of a list as SQL, and where a page ended in one. */
import type { CodeOrder, CodeSort } from '#schemas/api/code-lists.ts';
import type { Bind } from './conditions.ts';

/** Where a page ended: the last code's key in the order, as text, and its place in the order of creation. */
export interface Place {
  key: string;
  seq: string;
}

/** What an order compares. */
interface Key {
  /** The table that has it. */
  table: 'codes' | 'code_scans';
  /** SQL, over that table under any name. */
  sqlOf(name: string): string;
  type: string;
}

export interface Order extends Key {
  direction: 'ASC' | 'DESC';
  /** Whether it is the order of creation itself, of the plain list. */
  isCreation: boolean;
}

const keys: Readonly<Record<CodeOrder | 'seq', Key>> = {
  // Creation itself: the indexes of the plain list have it.
  seq: { table: 'codes', sqlOf: (name) => `${name}.seq`, type: 'bigint' },
  createdAt: { table: 'codes', sqlOf: (name) => `${name}.created_at`, type: 'timestamptz' },
  updatedAt: { table: 'codes', sqlOf: (name) => `${name}.updated_at`, type: 'timestamptz' },
  name: { table: 'codes', sqlOf: (name) => `lower(coalesce(${name}.name, '')) COLLATE "C"`, type: 'text' },
  scanCount: { table: 'code_scans', sqlOf: (name) => `${name}.scans`, type: 'bigint' },
  lastScannedAt: { table: 'code_scans', sqlOf: (name) => `${name}.last_scanned_at`, type: 'timestamptz' },
};

/** @param isPlain whether only filters are given that the plain list's indexes have */
export const orderOf = (sort: CodeSort, isPlain: boolean): Order => {
  const isDescending = sort.startsWith('-');
  const name = (isDescending ? sort.slice(1) : sort) as CodeOrder;
  const isCreation = name === 'createdAt' && isPlain;
  return { ...keys[isCreation ? 'seq' : name], direction: isDescending ? 'DESC' : 'ASC', isCreation };
};

/** SQL for `ORDER BY`. @param key of the order, in this statement */
export const sortedBy = ({ direction }: Order, key: string, seq: string): string =>
  key === seq ? `${seq} ${direction}` : `${key} ${direction}, ${seq} ${direction}`;

/** SQL: whether a row comes after a place. */
export const isAfter = (
  { direction, type }: Order,
  place: Place | undefined,
  key: string,
  seq: string,
  bind: Bind,
): string => {
  if (!place) return 'true';
  const sign = direction === 'DESC' ? '<' : '>';
  if (key === seq) return `${seq} ${sign} ${bind(place.seq)}::bigint`;
  // As text: the driver would cut times to milliseconds.
  return `(${key}, ${seq}) ${sign} (${bind(place.key)}::text::${type}, ${bind(place.seq)}::bigint)`;
};

/** The position of a cursor. */
export const positionOf = ({ key, seq }: Place): string => `${seq}:${encodeURIComponent(key)}`;

/** @param position made by {@link positionOf} */
export const placeOf = (position: string): Place => {
  const at = position.indexOf(':');
  return { seq: position.slice(0, at), key: decodeURIComponent(position.slice(at + 1)) };
};
