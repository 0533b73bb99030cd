/** The points at which a line may be broken in two. */
import { clustersOf } from './faces.ts';

type Halves = [first: string, second: string];

const words = new Intl.Segmenter('und', { granularity: 'word' });

const cut = (text: string, at: number): Halves => [text.slice(0, at).trimEnd(), text.slice(at).trimStart()];

const halvesAt = (text: string, indexes: readonly number[]): Halves[] =>
  indexes.map((at) => cut(text, at)).filter(([first, second]) => first !== '' && second !== '');

/** Characters that do not begin a line, such as closing brackets and full stops. */
const clinging = /^[\p{Pe}\p{Pf}\p{Po}\p{Sk}\p{Mn}\u30fc\u3005]/u;

/** Between words without spaces, as in Chinese and Thai, and after the dots and slashes of an address. */
const betweenWords = (text: string): number[] =>
  Array.from(words.segment(text), ({ index }) => index).filter((at) => !clinging.test(text.slice(at)));

const afterEachCluster = (text: string): number[] => {
  let at = 0;
  return clustersOf(text).map((cluster) => (at += cluster.length));
};

/** The halves of a text at each break, by preference: at spaces, between words, anywhere. */
export const breaksOf = (text: string): Halves[][] => [
  halvesAt(
    text,
    Array.from(text.matchAll(/\s(?=\S)/gu), ({ index }) => index),
  ),
  halvesAt(text, betweenWords(text)),
  halvesAt(text, afterEachCluster(text)),
];
