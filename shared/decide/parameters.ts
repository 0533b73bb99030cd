/**
 * What a code adds to the query of the URL that a scan leads to: its own parameters, the scan's (forwarded), and the id of the
 * scan. The origin, the path and the fragment stay as they are, whatever a scan brings.
 *
 * The URL's own parameters stay in front of those of the code: a parameter of the code is a default. A forwarded one takes the
 * place of both, as it does at Dub and Shlink, and the id of the scan that of all others.
 */
import {
  ownParameters,
  type Placeholder,
  parametersLengthMax,
  placeholders,
} from '#schemas/api/code-routing.ts';
import type { AddedParameters } from '#schemas/code-record.ts';
import type { Decision } from './decide.ts';
import { preferredLanguages } from './preferred-languages.ts';
import { type QueryParameter, scanParameters, scanQueryLengthMax } from './scan-query.ts';

/** The scan behind the placeholders. */
export interface AddingScan {
  /** What each placeholder stands for, but the language; empty if unknown. */
  facts: Readonly<Record<Exclude<Placeholder, 'language'>, string>>;
  acceptLanguage(): string;
  query(): string;
  /** Of the scan; undefined if it is not known. */
  scanId: string | undefined;
}

/** As the URL standard writes a query, which escapes the apostrophe, too. */
const encoded = (text: string): string => encodeURIComponent(text.toWellFormed()).replaceAll("'", '%27');

const pair = ([name, value]: QueryParameter): string => `${encoded(name)}=${encoded(value)}`;

/** The name in a part of a query. Without the sign in front, a question mark that begins the name would be dropped. */
const nameOf = (part: string): string => new URLSearchParams(`&${part}`).keys().next().value ?? '';

const slot = new RegExp(`\\{(${placeholders.join('|')})\\}`, 'g');

/** The preferred language, such as `de` of `de-CH`. */
const languageOf = (header: string): string => preferredLanguages(header)[0]?.split('-')[0] ?? '';

const fill = (template: string, { facts, acceptLanguage }: AddingScan): string =>
  template.replaceAll(slot, (_, name: Placeholder) =>
    name === 'language' ? languageOf(acceptLanguage()) : facts[name],
  );

/** The code's own parameters, as far as they have a value and there is room: a placeholder may stand for a long text. */
const filled = (own: NonNullable<AddedParameters['own']>, scan: AddingScan): QueryParameter[] => {
  let room = parametersLengthMax;
  return own
    .map(([name, template]): QueryParameter => [name, fill(template, scan)])
    .filter((parameter) => {
      const { length } = pair(parameter);
      if (parameter[1] === '' || length >= room) return false;
      room -= length + 1;
      return true;
    });
};

/** All of the scan's parameters, or none if they are too long once they are encoded. */
const forwarded = (query: string): QueryParameter[] => {
  const parameters = scanParameters(query).filter(([name]) => !ownParameters.includes(name));
  const length = parameters.reduce((sum, parameter) => sum + pair(parameter).length + 1, 0);
  return length > scanQueryLengthMax ? [] : parameters;
};

const namesOf = (parameters: readonly QueryParameter[]): Set<string> =>
  new Set(parameters.map(([name]) => name));

/** The path with what is before it, the parts of the query, and the fragment with its sign. */
const split = (location: string): { path: string; parts: string[]; fragment: string } => {
  const hash = location.indexOf('#');
  const front = hash < 0 ? location : location.slice(0, hash);
  const mark = front.indexOf('?');
  const query = mark < 0 ? '' : front.slice(mark + 1);
  return {
    path: mark < 0 ? front : front.slice(0, mark),
    parts: query.split('&').filter((part) => part !== ''),
    fragment: hash < 0 ? '' : location.slice(hash),
  };
};

/** @param location absolute and ASCII, as in a record */
export const withParameters = (location: string, added: AddedParameters, scan: AddingScan): string => {
  const { own = [], forward, scanId } = added;
  const id: QueryParameter[] =
    scanId !== undefined && scan.scanId !== undefined ? [[scanId, scan.scanId]] : [];
  const brought = forward ? forwarded(scan.query()).filter(([name]) => name !== scanId) : [];
  const winning = namesOf([...brought, ...id]);
  const { path, parts, fragment } = split(location);
  const kept = winning.size === 0 ? parts : parts.filter((part) => !winning.has(nameOf(part)));
  const taken = new Set([...kept.map(nameOf), ...winning]);
  const defaults = filled(own, scan).filter(([name]) => !taken.has(name));
  const more = [...defaults, ...brought, ...id];
  if (more.length === 0) return location;
  return `${path}?${[...kept, ...more.map(pair)].join('&')}${fragment}`;
};

/**
 * To the URL of an app's own scheme and to its store nothing is added: their queries mean what the app and the store say. An https
 * deep link is a redirect, and takes parameters as any other.
 */
export const withAdded = <Made extends Decision>(
  decision: Made,
  added: AddedParameters,
  scan: AddingScan,
): Made => {
  if (decision.kind === 'redirect')
    return { ...decision, location: withParameters(decision.location, added, scan) };
  if (decision.kind === 'app' && decision.fallback !== undefined)
    return { ...decision, fallback: withParameters(decision.fallback, added, scan) };
  return decision;
};
