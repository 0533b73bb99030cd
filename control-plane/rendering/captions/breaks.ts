/** Where one line may become two. */
import { clustersOf } from './faces.ts';

type Halves = [first: string, second: string];

const words = new Intl.Segmenter('und', { granularity: 'word' });

const cut = (text: string, at: number): Halves => [text.slice(0, at).trimEnd(), text.slice(at).trimStart()];

const halvesAt = (text: string, places: readonly number[]): Halves[] =>
  places.map((at) => cut(text, at)).filter(([first, second]) => first !== '' && second !== '');

/** Signs that do not begin a line: they close or end what is before them. */
const clinging = /^[\p{Pe}\p{Pf}\p{Po}\p{Sk}\p{Mn}\u30fc\u3005]/u;

/** Between words that no space divides, as in Chinese and Thai, and after the dots and strokes of an address. */
const betweenWords = (text: string): number[] =>
  Array.from(words.segment(text), ({ index }) => index).filter((at) => !clinging.test(text.slice(at)));

const afterEachCluster = (text: string): number[] => {
  let at = 0;
  return clustersOf(text).map((cluster) => (at += cluster.length));
};

/** The places of a text at which it may break, in the order in which they are to be preferred: spaces, words, anywhere. */
export const breaksOf = (text: string): Halves[][] => [
  halvesAt(
    text,
    Array.from(text.matchAll(/\s(?=\S)/gu), ({ index }) => index),
  ),
  halvesAt(text, betweenWords(text)),
  halvesAt(text, afterEachCluster(text)),
];
