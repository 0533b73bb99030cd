/** What is looked up for a place: a bounded number of texts and hashes, whatever the lists hold. */
import { hash } from 'node:crypto';
import type { Place } from './place.ts';

/** An entry names a host of at most so many labels, and a path of at most so many segments. */
export const entryLabelsMax = 10;
export const entrySegmentsMax = 8;
/** Its text has at most so many characters. */
export const entryLengthMax = 2_048;

const segmentsOf = (path: string): string[] => path.split('/').filter((segment) => segment !== '');

/** The host itself and what it is a subdomain of, with at most `labelsMax` labels. */
const suffixesOf = ({ host, isAddress }: Place, labelsMax: number, labelsMin = 1): string[] => {
  if (isAddress) return [host];
  const labels = host.split('.');
  const suffixes: string[] = [];
  for (let count = Math.min(labels.length, labelsMax); count >= labelsMin; count--)
    suffixes.push(labels.slice(-count).join('.'));
  return suffixes;
};

const pathsAbove = (path: string): string[] => {
  const segments = segmentsOf(path).slice(0, entrySegmentsMax);
  return segments.map((_, at) => `/${segments.slice(0, at + 1).join('/')}`);
};

/**
 * Each host and each path at and above the place: the texts of entries that block it. At most 170.
 * @param lengthMax no entry has a longer one
 */
export const textsOf = (place: Place, lengthMax = entryLengthMax): string[] => {
  const paths = [...new Set(['', ...pathsAbove(place.path), ...pathsAbove(place.plainPath)])];
  return suffixesOf(place, entryLabelsMax).flatMap((host) =>
    paths.filter((path) => host.length + path.length <= lengthMax).map((path) => host + path),
  );
};

/** Of an entry: its host, and its path without a slash at the end. */
export const textOf = ({ host, path }: Place): string => host + path.replace(/\/$/, '');

/** Safe Browsing looks up the host itself and at most so many labels of it. */
const hashedLabelsMax = 6;
const hashedFoldersMax = 3;

/** The path with its query and without, and the folders above it, from the root. */
const hashedPathsOf = ({ path, query }: Place): string[] => {
  const folders = segmentsOf(path.slice(0, path.lastIndexOf('/')));
  const above = Array.from({ length: Math.min(folders.length, hashedFoldersMax) + 1 }, (_, count) =>
    count === 0 ? '/' : `/${folders.slice(0, count).join('/')}/`,
  );
  return [...new Set([...(query === '' ? [] : [path + query]), path, ...above])];
};

/** By these lists name most pages: the whole URL, and its host. */
export const foremostMax = 2;

/**
 * Each host and path at and above the place, as Safe Browsing and Web Risk hash them, the foremost first. At most 42; those of
 * versions 4 and 5 of the protocol, which choose hosts differently.
 */
export const expressionsOf = (place: Place): string[] => {
  const hosts = [place.host, ...suffixesOf(place, hashedLabelsMax, 2)];
  const paths = hashedPathsOf(place);
  const foremost = [place.host + paths[0], `${place.host}/`];
  const all = hosts.flatMap((host) => paths.map((path) => host + path));
  return [...new Set([...foremost, ...hosts.map((host) => `${host}/`), ...all])];
};

/** SHA-256 in hexadecimal. */
export const hashOf = (expression: string): string => hash('sha256', expression, 'hex');

export const hashesOf = (place: Place): string[] => expressionsOf(place).map(hashOf);
