/** Text → the JSON documents in it, one after the other, bounded before any of them is parsed. */
import { refuse } from './spreadsheet.ts';

/** Levels of objects and lists. The pages of an API have five. */
const depthMax = 20;
/** Pages in one file. */
const documentsMax = 10_000;
/** Values of all kinds, counted by their commas and brackets: 20,000 links with twenty fields each have half of it. */
const valuesMax = 1_000_000;

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const isOpening = (code: number): boolean => code === 0x5b || code === 0x7b;
const isClosing = (code: number): boolean => code === 0x5d || code === 0x7d;
/** Blanks and commas may stand between documents: lines of NDJSON, or pages that were pasted one after the other. */
const isBetween = (code: number): boolean =>
  code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d || code === comma;

/** @returns where the text ends that begins with a quote at `at` */
const endOfText = (text: string, at: number): number => {
  for (let end = at + 1; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (code === backslash) end++;
    else if (code === quote) return end;
  }
  return refuse('is not valid JSON: a text in it is never closed');
};

/** @returns the objects and lists at the outermost level, as they are written */
const split = (text: string): string[] => {
  const documents: string[] = [];
  let [depth, begin, values] = [0, 0, 0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (depth === 0 && !isOpening(code)) {
      if (isBetween(code)) continue;
      refuse('is not valid JSON: each page must be an object or a list');
    }
    if (code === quote) at = endOfText(text, at);
    else if (isOpening(code)) {
      if (depth++ === 0) begin = at;
      if (depth > depthMax) refuse(`must have at most ${depthMax} levels of objects and lists`);
    } else if (isClosing(code) && --depth === 0) documents.push(text.slice(begin, at + 1));
    if ((code === comma || isOpening(code)) && ++values > valuesMax)
      refuse(`must have at most ${valuesMax} values`);
    if (documents.length > documentsMax) refuse(`must have at most ${documentsMax} pages`);
  }
  return depth === 0 ? documents : refuse('is not valid JSON: it is cut off');
};

/** @throws {SpreadsheetRefusal} if the text is not JSON, or exceeds the bounds */
export const readDocuments = (text: string): unknown[] =>
  split(text).map((document, at) => {
    try {
      return JSON.parse(document) as unknown;
    } catch (cause) {
      return refuse(`is not valid JSON: page ${at + 1} cannot be read`, cause);
    }
  });
