/**
 * A request as the log may keep it: without secrets, without pictures, and short. What is left out is said to be, so that
 * a reader of the log does not take the rest for the whole.
 */
import { shortened, withoutQuery } from '#shared/quoted.ts';
import { UploadedFile } from '../../api/http/multipart.ts';
import { isSealed, isSecret, secretNames } from '../../api/http/secrets.ts';

/** Of the JSON text. */
export const bodyBytesMax = 8_000;
const textLengthMax = 200;
const nameLengthMax = 60;
/** Of one list. */
const entriesMax = 50;
const depthMax = 8;

const redacted = '[redacted]';

/** Names that mean a secret in any API: clients send them to ours by mistake. */
const secretName = /pass|secret|token|credential|authorization|cookie|api_?key|private/i;
const isSecretName = (name: string): boolean => secretNames.has(name) || secretName.test(name);

/** Fields with a picture, in base64 or as a data URI. */
const pictureNames: ReadonlySet<string> = new Set(['image', 'logo', 'dataUrl', 'productImage']);
const isAddress = (text: string): boolean => /^https?:/i.test(text);
/** Base64, or another long text without a space. */
const unspaced = /^\S{200}/;

const textOf = (text: string): string => {
  if (/^data:/i.test(text) || (unspaced.test(text) && !isAddress(text))) return `[${text.length} characters]`;
  if (isSecret(text)) return redacted;
  return shortened(withoutQuery(text.slice(0, textLengthMax + 1)), textLengthMax);
};

const fieldOf = (name: string, value: unknown, owner: object): unknown => {
  if (value === null || typeof value === 'boolean') return value;
  if (isSecretName(name) || (name === 'data' && isSealed(owner))) return redacted;
  if (typeof value === 'string' && pictureNames.has(name) && !isAddress(value))
    return `[${value.length} characters]`;
  return value;
};

/** @returns how many bytes of the text are left, once something was written into it */
type Spend = (written: string) => number;

/** Stops where the text would get too long: the size of what is given does not matter. */
const pruned = (value: unknown, depth: number, spend: Spend): unknown => {
  if (typeof value === 'string') {
    const text = textOf(value);
    return spend(text) < 0 ? '…' : text;
  }
  if (typeof value !== 'object' || value === null) {
    spend(String(value));
    return value;
  }
  if (value instanceof UploadedFile || ArrayBuffer.isView(value)) return '[file]';
  if (spend('[]') < 0 || depth === depthMax) return '…';
  return Array.isArray(value) ? prunedList(value, depth, spend) : prunedObject(value, depth, spend);
};

const prunedList = (list: readonly unknown[], depth: number, spend: Spend): unknown[] => {
  const kept: unknown[] = [];
  for (const each of list.slice(0, entriesMax)) {
    if (spend('') < 0) break;
    kept.push(pruned(each, depth + 1, spend));
  }
  const left = list.length - kept.length;
  return left === 0 ? kept : [...kept, `… ${left} more`];
};

const prunedObject = (object: object, depth: number, spend: Spend): object => {
  const kept: [string, unknown][] = [];
  const names = Object.keys(object);
  for (const name of names) {
    const short = shortened(name, nameLengthMax);
    if (spend(short) < 0) break;
    const value = fieldOf(name, (object as Record<string, unknown>)[name], object);
    kept.push([short, pruned(value, depth + 1, spend)]);
  }
  const left = names.length - kept.length;
  return Object.fromEntries(left === 0 ? kept : [...kept, ['…', `${left} more`]]);
};

/** Quotes, a comma and a colon around each name and value, and the words about what was left out. */
const aroundBytes = 24;

/**
 * @param body parsed JSON; undefined if there is none
 * @returns JSON text of at most {@link bodyBytesMax} bytes; empty without a body
 */
export const redactedBody = (body: unknown): string => {
  if (body === undefined || ArrayBuffer.isView(body)) return '';
  let left = bodyBytesMax - 1_000;
  const spend: Spend = (written) => {
    // Escapes and characters of several bytes count as what they become.
    left -= Buffer.byteLength(JSON.stringify(written)) + aroundBytes;
    return left;
  };
  const text = JSON.stringify(pruned(body, 0, spend));
  return Buffer.byteLength(text) <= bodyBytesMax ? text : '';
};

const pathLengthMax = 300;
const parametersMax = 20;

/**
 * The path with its query.
 * @param search the query as sent, without `?`
 * @param known the parameters of the operation: only their values are kept
 */
export const redactedPath = (path: string, search: string, known: ReadonlySet<string>): string => {
  const start = shortened(path, pathLengthMax);
  if (search === '') return start;
  const shown: string[] = [];
  // A long query is cut before it is read.
  for (const [name, value] of new URLSearchParams(search.slice(0, 2_000))) {
    if (shown.length === parametersMax) break;
    const isKept = known.has(name) && !isSecretName(name) && !isSecret(value);
    shown.push(`${shortened(name)}=${isKept ? shortened(withoutQuery(value)) : '…'}`);
  }
  return `${start}?${shown.join('&')}`;
};
