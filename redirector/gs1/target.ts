/** The target of a request to the resolver: a Digital Link, or the same as EPC binary. */

import { gs1DocumentId } from '#schemas/documents.ts';
import { keyPath } from '#shared/gs1/digital-link/key-path.ts';
import { type DigitalLink, parseDigitalLink } from '#shared/gs1/digital-link/parse.ts';
import { isEpcPath, parseEpcPath } from '#shared/gs1/epc/parse.ts';
import { Gs1Error } from '#shared/gs1/gs1-error.ts';
import { createMemo } from '#shared/memo.ts';

export interface Gs1Target {
  documentId: string;
  link: Pick<DigitalLink, 'levels'>;
  /** 14 digits, if the key is a GTIN with a serial. */
  gtin: string | undefined;
  serial: string | undefined;
}

export type ReadTarget = (path: string, query: string) => Gs1Target | Gs1Error;

const toTarget = (link: DigitalLink): Gs1Target => {
  const { key, qualifiers } = link;
  const serial = key.ai === '01' ? qualifiers.find(({ ai }) => ai === '21')?.value : undefined;
  return {
    documentId: gs1DocumentId(keyPath(key, []).slice(1)),
    link,
    gtin: serial === undefined ? undefined : key.value,
    serial,
  };
};

/** The path of an EPC tag has no GS1 query of its own. */
const parse = (target: string): DigitalLink | Gs1Error =>
  isEpcPath(target)
    ? parseEpcPath(target.replace(/\?.*$/, '').replace(/\/$/, ''))
    : parseDigitalLink(target, { isLenient: true });

const read = (target: string): Gs1Target | Gs1Error => {
  const link = parse(target);
  if (link instanceof Gs1Error) return link;
  if (link.stem === '') return toTarget(link);
  const expected = 'a path that begins with the primary key';
  return new Gs1Error('no-key-in-path', { expected }, 'No GS1 DL keys found in path info');
};

/**
 * Only visible ASCII is passed on to a link's target (RFC 9112, section 3.2): other bytes would not arrive unchanged.
 */
const alienInQuery = (path: string, query: string): Gs1Error | undefined => {
  const at = query.search(/[^\x21-\x7e]/);
  if (at < 0) return undefined;
  const where = { position: path.length + 1 + at, expected: 'ASCII, with all else percent-encoded' };
  return new Gs1Error('uri-charset', where, 'URI contains illegal characters');
};

/** Targets that are remembered: some megabytes. */
const rememberedMax = 20_000;
/** Longer targets are parsed each time. */
const lengthMax = 200;
/**
 * In the path of a serial, which is scanned a few times in its life. Parsing it takes 2 µs; remembering each of a flood of them
 * took 4 µs more.
 */
const serial = '/21/';

/** @returns reads a path and its query, without `?`; faults are given in GS1's words */
export const createReadTarget = (): ReadTarget => {
  const known = createMemo(rememberedMax, read);
  return (path, query) => {
    const alien = alienInQuery(path, query);
    if (alien) return alien;
    // Only attributes are checked: other parameters are not GS1's.
    const target = /(?:^|[&;])\d/.test(query) ? `${path}?${query}` : path;
    return target.length <= lengthMax && !path.includes(serial) ? known.get(target) : read(target);
  };
};
