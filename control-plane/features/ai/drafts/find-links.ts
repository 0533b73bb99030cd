/**
 * Addresses and names of hosts in a word. The words are a model's or a stranger's: each function takes time linear in their length,
 * which the expressions that say the same do not.
 */

const marksBefore = /^[¡¿*_~,;:]+/;
const marksAfter = new Set('.,;:!?*_~…');

/** Without the marks of a sentence around it. */
export const bare = (word: string): string => {
  let end = word.length;
  while (end > 0 && marksAfter.has(word[end - 1]!)) end--;
  return word.slice(0, end).replace(marksBefore, '');
};

/** Whether a dot is in it, with something on either side. */
const isDotted = (text: string): boolean => {
  const dot = text.indexOf('.', 1);
  return dot !== -1 && dot < text.length - 1;
};

/** `a@b.c` */
export const isEmail = (text: string): boolean => {
  const [local, host, ...more] = text.split('@', 3);
  return local !== '' && host !== undefined && more.length === 0 && isDotted(host) && !/\s/.test(text);
};

/** @param word without white space */
export const emailsIn = (word: string): string[] => {
  const parts = word.split('@');
  const found: string[] = [];
  for (let at = 0; at + 1 < parts.length; at++) {
    if (parts[at] === '' || !isDotted(parts[at + 1]!)) continue;
    found.push(`${parts[at]}@${parts[at + 1]}`);
    // An address begins after the one before it.
    at++;
  }
  return found;
};

const labels = /[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*/gu;

/**
 * Names with a dot whose last label begins with a letter, each with the port, path, query or fragment after it.
 * @param word without white space @param isName whether a name counts: the rest of a word belongs to one that does
 */
export const domainsIn = (word: string, isName: (name: string) => boolean): string[] => {
  const found: string[] = [];
  for (const { 0: chain, index } of word.matchAll(labels)) {
    const names = chain.split('.');
    const last = names.findLastIndex((name) => /^\p{L}/u.test(name));
    const name = names.slice(0, last + 1).join('.');
    if (last < 1 || !isName(name)) continue;
    if (last === names.length - 1 && '/?#:'.includes(word[index + name.length] ?? ' '))
      return [...found, word.slice(index)];
    found.push(name);
  }
  return found;
};

/** Links have one, and what a browser runs. What stands before `://` is read backwards, once that is found. */
const scheme = /:\/\/(?<=[a-z][a-z\d+.-]*:\/\/)|(?:javascript|data|vbscript|mailto|tel):/i;

export const hasScheme = (word: string): boolean => scheme.test(word);
