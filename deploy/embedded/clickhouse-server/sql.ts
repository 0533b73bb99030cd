/** Reads from a statement the facts that are needed before the engine runs it. */
import { clickHouseError } from './errors.ts';

/** A quoted string, a quoted name, or a comment: its content is not SQL. */
const opaque = /'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`|--[^\n]*|\/\*[\s\S]*?\*\//g;

/** The statement with every string, quoted name and comment blanked out; everything else keeps its position. */
const bare = (sql: string): string => sql.replace(opaque, (text) => ' '.repeat(text.length));

export const quoteString = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;

export const quoteName = (name: string): string => `\`${name.replace(/[\\`]/g, '\\$&')}\``;

/** An INSERT whose rows follow, in the statement's text or in the body of the request. */
export interface InsertStatement {
  /** `INSERT INTO table (columns)` */
  target: string;
  /** ` SETTINGS …`, or nothing */
  settings: string;
  format: string;
  /** Rows that follow the format in the same text. */
  rows: string;
}

const insertWithFormat =
  /^(\s*INSERT\s+INTO\s+(?:(?!\b(?:SELECT|VALUES|FORMAT)\b)[\s\S])*?)(\s+SETTINGS\s(?:(?!\bFORMAT\b)[\s\S])*?)?\s+FORMAT\s+(\w+)[ \t]*;?(?:\r?\n|\s*$)/i;

export const parseInsert = (sql: string): InsertStatement | undefined => {
  const match = insertWithFormat.exec(bare(sql));
  if (!match) return undefined;
  const [whole, target, settings = '', format] = match;
  return {
    target: sql.slice(0, target!.length),
    settings: sql.slice(target!.length, target!.length + settings.length),
    format: format!,
    rows: sql.slice(whole.length),
  };
};

export const isInsert = (sql: string): boolean => /^\s*INSERT\s/i.test(bare(sql));

/** The format a statement asks for at its end. */
export const outputFormat = (sql: string): string | undefined =>
  /\bFORMAT\s+(\w+)(?:\s+SETTINGS\s[\s\S]*)?\s*;?\s*$/i.exec(bare(sql))?.[1];

/**
 * Makes the checks that the engine does not.
 * @param parameters names of the values that came with the request
 * @throws {Error} SYNTAX_ERROR for a second statement: the engine runs it, the server refuses it
 * @throws {Error} UNKNOWN_QUERY_PARAMETER for a `{name:Type}` without a value: the engine's own error would leave the
 *   connection with the parameters of an earlier request
 */
export const checkStatement = (sql: string, parameters: ReadonlySet<string>): void => {
  const text = bare(sql);
  if (/;\s*\S/.test(text)) throw clickHouseError(62, 'SYNTAX_ERROR', 'Multi-statements are not allowed');
  for (const [, name] of text.matchAll(/\{\s*(\w+)\s*:\s*[A-Z]\w*[^{}]*\}/g)) {
    if (!parameters.has(name!)) {
      throw clickHouseError(456, 'UNKNOWN_QUERY_PARAMETER', `Substitution \`${name}\` is not set`);
    }
  }
};
