/**
 * CHANGELOG.md as data. It is the only source: a day is a heading of the second level, a kind of change one of the
 * third, and each entry of a list is one change.
 */
import { readFileSync } from 'node:fs';

export const changeKinds = ['added', 'changed', 'deprecated', 'removed', 'fixed'] as const;
export type ChangeKind = (typeof changeKinds)[number];

export interface Change {
  /** `YYYY-MM-DD` */
  date: string;
  kind: ChangeKind;
  /** Markdown, in one line. */
  text: string;
  /** The operations that the text names: `POST /api/qr/codes`. Absent if it names none. */
  operations?: string[];
}

const operation = /`((?:GET|HEAD|POST|PUT|PATCH|DELETE) \/[^`\s?]*)[^`]*`/g;

const changeOf = (date: string, kind: ChangeKind, lines: readonly string[]): Change => {
  const text = lines.join(' ');
  const operations = [...new Set([...text.matchAll(operation)].map(([, name]) => name!))];
  return { date, kind, text, ...(operations.length > 0 && { operations }) };
};

const isKind = (text: string): text is ChangeKind => changeKinds.some((kind) => kind === text);

/**
 * @param markdown whose text before the first day is an introduction
 * @throws {Error} naming a line of another kind
 */
export const parseChangelog = (markdown: string): Change[] => {
  const found: { date: string; kind: ChangeKind; lines: string[] }[] = [];
  let date: string | undefined;
  let kind: ChangeKind | undefined;
  for (const [at, line] of markdown.split('\n').entries()) {
    const [, day] = /^## (\d{4}-\d\d-\d\d)$/.exec(line) ?? [];
    const [, title = ''] = /^### (\w+)$/.exec(line) ?? [];
    const [, entry] = /^- (.+)$/.exec(line) ?? [];
    const [, more] = /^ {2}(\S.*)$/.exec(line) ?? [];
    if (day !== undefined) [date, kind] = [day, undefined];
    else if (date === undefined && !line.startsWith('##')) continue;
    else if (date !== undefined && isKind(title.toLowerCase())) kind = title.toLowerCase() as ChangeKind;
    else if (date && kind && entry !== undefined) found.push({ date, kind, lines: [entry] });
    else if (more !== undefined && found.at(-1)?.kind === kind) found.at(-1)!.lines.push(more);
    else if (line !== '')
      throw new Error(
        `CHANGELOG.md, line ${at + 1}: expected "## YYYY-MM-DD", then "### ${changeKinds.join('", "### ')}" with an upper-case ` +
          `letter, then a list; given: ${line}`,
      );
  }
  return found.map((each) => changeOf(each.date, each.kind, each.lines));
};

export const readChangelog = (): Change[] =>
  parseChangelog(readFileSync(new URL('../../../CHANGELOG.md', import.meta.url), 'utf8'));
