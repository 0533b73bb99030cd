/** The query of a scanned URL, for rules and for forwarding. */
import { latest } from '../latest.ts';

export const scanQueryLengthMax = 2_000;
export const scanParametersMax = 50;

export type QueryParameter = readonly [name: string, value: string];

const none: readonly QueryParameter[] = [];

const parse = latest((query: string): readonly QueryParameter[] => {
  const parameters = [...new URLSearchParams(query)];
  return parameters.length > scanParametersMax ? none : parameters;
});

/** @param query without the question mark @returns nothing for a query that is longer, or has more parameters, than counts */
export const scanParameters = (query: string): readonly QueryParameter[] =>
  query === '' || query.length > scanQueryLengthMax ? none : parse(query);

/** The first value of a parameter; undefined without one. */
export const scanParameter = (query: string, name: string): string | undefined =>
  scanParameters(query).find(([each]) => each === name)?.[1];
