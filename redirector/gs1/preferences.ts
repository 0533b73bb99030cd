/** Reads which link a request asks for, from its parameters and headers. */
import { queryParts } from '#shared/gs1/digital-link/query-parts.ts';
import { createMemo } from '#shared/memo.ts';

export interface Weighted {
  /** In lower case. */
  value: string;
  /** From 0 to 1. */
  quality: number;
}

export interface Preferences {
  /** Whole IRIs, in the given order; empty if the request names none. */
  linkTypes: readonly string[];
  /** Whether the request asks for the list of all links. */
  linkset: boolean;
  /** The most preferred first. */
  languages: readonly Weighted[];
  context: string | undefined;
  mediaTypes: readonly Weighted[];
}

const vocabulary = 'https://ref.gs1.org/voc/';
const vocabularyPrefix = /^(?:gs1:|https?:\/\/(?:ref\.gs1\.org|(?:www\.)?gs1\.org)\/voc\/)/;

export const linksetType = 'application/linkset+json';
/** Headers are read up to this length. */
const headerLengthMax = 500;
const preferencesMax = 20;

/** The values of a parameter, decoded; undecodable ones unchanged. */
const valuesOf = (parts: readonly string[], name: string): string[] =>
  parts.flatMap((part) => {
    if (!part.startsWith(`${name}=`)) return [];
    const encoded = part.slice(name.length + 1).replaceAll('+', ' ');
    try {
      return [decodeURIComponent(encoded)];
    } catch {
      return [encoded];
    }
  });

const readQuality = (parameters: readonly string[]): number => {
  const given = parameters.map((one) => /^\s*q=([01](?:\.\d{0,3})?)\s*$/i.exec(one)?.[1]).find((q) => q);
  return given === undefined ? 1 : Math.min(1, Number(given));
};

/** A header such as Accept or Accept-Language (RFC 9110, section 12.5), the most preferred first. */
const readWeighted = (header: string): readonly Weighted[] =>
  header
    .toLowerCase()
    .split(',', preferencesMax)
    .map((part) => {
      const [value = '', ...parameters] = part.split(';');
      return { value: value.trim(), quality: readQuality(parameters) };
    })
    .filter(({ value, quality }) => value !== '' && quality > 0)
    .sort((a, b) => b.quality - a.quality);

const isListName = (name: string): boolean => name === 'all' || name === 'linkset';
const isDefaultName = (name: string): boolean => name === 'defaultLink' || name === 'gs1:defaultLink';

const toIri = (given: string): string => given.replace(vocabularyPrefix, vocabulary);

/** Headers that are remembered, of either kind: at most three megabytes. Browsers send a few hundred different ones. */
const rememberedMax = 1000;

/** @param query without `?`, as received; a query with too many parts is ignored */
export type ReadPreferences = (query: string, accept: string, acceptLanguage: string) => Preferences;

export const createReadPreferences = (): ReadPreferences => {
  const weightedOf = createMemo(rememberedMax, readWeighted);
  /** A longer one is not remembered: the slice would keep all of it. */
  const read = (header: string): readonly Weighted[] =>
    header.length > headerLengthMax ? readWeighted(header.slice(0, headerLengthMax)) : weightedOf.get(header);
  return (query, accept, acceptLanguage) => {
    const parts = query === '' ? [] : (queryParts(query, true) ?? []);
    const named = valuesOf(parts, 'linkType');
    const names = named.filter((name) => !isDefaultName(name) && toIri(name) !== `${vocabulary}defaultLink`);
    const [language] = valuesOf(parts, 'lang');
    const [context] = valuesOf(parts, 'context');
    const languages = read(acceptLanguage);
    return {
      linkTypes: names.filter((name) => !isListName(name)).map(toIri),
      linkset: names.some(isListName) || (named.length === 0 && accept.trim().toLowerCase() === linksetType),
      languages:
        language === undefined ? languages : [{ value: language.toLowerCase(), quality: 2 }, ...languages],
      context,
      mediaTypes: read(accept),
    };
  };
};
