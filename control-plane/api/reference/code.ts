/** Code as the reference shows it: coloured by a few kinds of tokens, in a box of its own. */
import { html, raw } from 'hono/html';
import type { Html } from './markup.ts';

export type CodeLanguage = 'json' | 'sh' | 'ts' | 'text';

/** Comments, keys of JSON, texts, words and numbers. The first group that matches names the class of the token. */
const tokens: Readonly<Record<Exclude<CodeLanguage, 'text'>, RegExp>> = {
  json: /(?<key>"(?:[^"\\]|\\.)*"(?=:))|(?<text>"(?:[^"\\]|\\.)*")|(?<word>\b(?:true|false|null)\b|-?\b\d[\d.eE+-]*\b)/g,
  sh: /(?<note>^#.*$)|(?<text>"(?:[^"\\]|\\[\s\S])*"|'[^']*')|(?<key>(?<=\s)--?[A-Za-z][\w-]*)|(?<word>^curl\b)/gm,
  ts: /(?<note>\/\/.*$)|(?<text>'(?:[^'\\\n]|\\.)*'|`[^`]*`)|(?<word>\b(?:import|from|const|await|new|throw|if|true|false|null)\b|\b\d[\d.]*\b)|(?<key>\b[\w$]+(?=:))/gm,
};

const classes: Readonly<Record<string, string>> = { note: 'cn', key: 'ck', text: 'ct', word: 'cw' };

/** Stands for the reader's key in a text before it is coloured. It is in no text of the document. */
export const keyMark = '\u{f0000}';

/** If the reader enters a key, the script of the page writes it here. */
const withKeys = (text: string, placeholder: string): Html[] =>
  text
    .split(keyMark)
    .map((part, at) => (at === 0 ? html`${part}` : html`<span data-key>${placeholder}</span>${part}`));

/** @param placeholder what stands at `keyMark` until the reader enters a key */
const coloured = (code: string, language: CodeLanguage, placeholder: string): Html[] => {
  if (language === 'text') return withKeys(code, placeholder);
  const parts: Html[] = [];
  let end = 0;
  for (const match of code.matchAll(tokens[language])) {
    const kind = Object.entries(match.groups!).find(([, text]) => text !== undefined)![0];
    parts.push(...withKeys(code.slice(end, match.index), placeholder));
    parts.push(html`<span class="${classes[kind]}">${withKeys(match[0], placeholder)}</span>`);
    end = match.index + match[0].length;
  }
  return [...parts, ...withKeys(code.slice(end), placeholder)];
};

/** More lines scroll in their box, which then needs a place in the order of keys. */
const linesMax = 26;

/** @param label names the box if it scrolls */
export const codeBlock = (
  code: string,
  language: CodeLanguage,
  label: string,
  placeholder = '$KEY',
): Html => {
  const isLong = code.split('\n').length > linesMax;
  const scrolls = isLong ? html` class="long" tabindex="0" role="group" aria-label="${label}"` : raw('');
  return html`<pre${scrolls}><code>${coloured(code, language, placeholder)}</code></pre>`;
};

export const jsonBlock = (value: unknown, label: string): Html =>
  codeBlock(JSON.stringify(value, null, 2), 'json', label);
