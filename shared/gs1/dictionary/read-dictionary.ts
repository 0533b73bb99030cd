/**
 * Reads application-identifiers.tsv, which holds facts of the GS1 Barcode Syntax Dictionary (GS1 AISBL, Apache-2.0).
 */
import type { Component, EntryRange } from './entry.ts';

/** Reads `01+21,03` as alternatives, each of identifiers required together. */
const readAlternatives = (cell: string): string[][] =>
  cell === '' ? [] : cell.split(',').map((all) => all.split('+'));

/** `N13,csum,gcppos1`, or `[X..17]` if optional. */
const readComponent = (text: string): Component => {
  const [format = '', ...rules] = text.split(',');
  const [, set, dots, length] = /^\[?([NXYZ])(\.\.)?(\d+)\]?$/.exec(format) ?? [];
  if (!set || !length) throw new Error(`${text} is not a component`);
  const component = { set: set as Component['set'], min: dots ? 1 : Number(length), max: Number(length) };
  return {
    ...component,
    ...(format.startsWith('[') && { isOptional: true as const }),
    ...(rules.length > 0 && { rules }),
  };
};

/** Reads `key:22,10,21|235` as the qualifiers in their order, by alternative; undefined if it is not a primary key. */
const readQualifiers = (cell: string): string[][] | undefined => {
  if (!cell.startsWith('key:')) return undefined;
  return cell
    .slice('key:'.length)
    .split('|')
    .map((sequence) => (sequence === '' ? [] : sequence.split(',')));
};

const readLine = (line: string): EntryRange => {
  const [
    ais = '',
    separator,
    attribute,
    components = '',
    key = '',
    requires = '',
    excludes = '',
    title = '',
  ] = line.split('\t');
  const qualifiers = readQualifiers(key);
  const [ai = '', last] = ais.split('-');
  return {
    ai,
    ...(last !== undefined && { last }),
    title,
    ...(separator === 'fixed' && { isFixed: true as const }),
    ...(attribute === 'attribute' && { isAttribute: true as const }),
    components: components.split(' ').map(readComponent),
    ...(qualifiers && { qualifiers }),
    ...(requires !== '' && { requires: readAlternatives(requires) }),
    ...(excludes !== '' && { excludes: excludes.split(',') }),
  };
};

/**
 * @param tsv one line per identifier or range, after a head of comments and names
 * @throws {Error} for a malformed component
 */
export const readDictionary = (tsv: string): EntryRange[] => {
  const lines = tsv.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.slice(1).map(readLine);
};
