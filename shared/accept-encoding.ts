/** The encoding of an answer (RFC 9110, section 12.5.3). */
import Negotiator from 'negotiator';
import { createMemo } from './memo.ts';

export type Compression = 'br' | 'gzip';
export type Encoding = Compression | 'identity';

/** Browsers send a handful of different headers. */
const headersMax = 500;
/** Longer ones are no browser's. */
const headerLengthMax = 200;

/** The best that the client takes; where it takes none of these, it gets the document as it is. */
const choose = (header: string, made: readonly Compression[]): Encoding => {
  const negotiator = new Negotiator({ headers: { 'accept-encoding': header } });
  const [first] = negotiator.encodings([...made, 'identity'], { preferred: made });
  return made.find((each) => each === first) ?? 'identity';
};

/** @param made in the order in which we prefer them @returns finds the encoding by an Accept-Encoding */
export const createChoice = (...made: readonly Compression[]): ((header: string) => Encoding) => {
  const known = createMemo(headersMax, (header: string) => choose(header, made));
  return (header) => (header.length > headerLengthMax ? 'identity' : known.get(header));
};
