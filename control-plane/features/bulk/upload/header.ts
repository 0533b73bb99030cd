/** The header row of a sheet → the meaning of each column. */
import { ClientError } from '#shared/errors.ts';
import { letterDistance } from '#shared/letter-distance.ts';
import { quoted, shortened } from '#shared/quoted.ts';
import { plain } from '../../../platform/spreadsheets/plain-name.ts';
import { type ColumnName, columnNames, dataColumns } from './columns.ts';
import { type LossColumn, losses } from './losses.ts';
import { recognise, type SourceName, sources } from './sources.ts';

/** The meaning of a column: one of ours, or the old link of an imported code. */
export type Field = ColumnName | 'oldLink';

export interface Header {
  /** The meaning of each column of the sheet, if known. */
  fields: (Field | undefined)[];
  /** The columns with old links, in order of preference. */
  oldLinks: number[];
  lossColumns: LossColumn[];
  source?: SourceName;
  warnings: string[];
}

export interface HeaderOptions {
  source?: SourceName | undefined;
  /** Columns of the sheet by name, with their meaning. */
  mapping?: Readonly<Record<string, Field>> | undefined;
}

const refuse = (message: string): never => {
  throw new ClientError('UNPROCESSABLE', message);
};

const ownByPlainName = new Map<string, ColumnName>(columnNames.map((name) => [plain(name), name]));

/** Common names for our columns. */
const commonNames: Readonly<Record<string, ColumnName>> = {
  url: 'destination',
  link: 'destination',
  website: 'destination',
  webaddress: 'destination',
  title: 'name',
  label: 'name',
};

const commonNameOf = (name: string): ColumnName | undefined =>
  Object.hasOwn(commonNames, plain(name)) ? commonNames[plain(name)] : undefined;

/** Columns that give a code's content. */
const contentColumns: ReadonlySet<Field> = new Set<Field>([
  'destination',
  ...(Object.values(dataColumns).flatMap((fields) => Object.keys(fields ?? {})) as ColumnName[]),
]);

/** Names listed in a message; more would make it unreadable. */
const namedMax = 12;

const listOf = (names: readonly string[]): string => {
  const more = names.length > namedMax ? ` and ${names.length - namedMax} more` : '';
  return names.slice(0, namedMax).map(quoted).join(', ') + more;
};

/** A short name is close to too many words: note is not name. */
const lettersMax = (name: string): number => (name.length < 6 ? 1 : 2);

const nearest = (name: string): ColumnName | undefined => {
  const given = plain(name).slice(0, 40);
  if (given.length < 4) return undefined;
  return columnNames.find((column) => letterDistance(given, plain(column)) <= lettersMax(given));
};

const mappedFields = (
  header: readonly string[],
  mapping: Readonly<Record<string, Field>>,
): (Field | undefined)[] => {
  const byName = new Map(Object.entries(mapping).map(([name, field]) => [plain(name), field]));
  for (const name of Object.keys(mapping)) {
    if (!header.some((given) => plain(given) === plain(name)))
      refuse(
        `mapping names the column ${quoted(name)}, which the sheet does not have; it has ${listOf(header)}`,
      );
  }
  return header.map((name) => byName.get(plain(name)));
};

const sourceFields = (header: readonly string[], source: SourceName): (Field | undefined)[] => {
  const { destination, name: label, oldLink } = sources[source];
  const isOneOf = (names: readonly string[], given: string) =>
    names.some((name) => plain(name) === plain(given));
  return header.map((given): Field | undefined => {
    if (isOneOf(destination, given)) return 'destination';
    if (isOneOf(label, given)) return 'name';
    return isOneOf(oldLink, given) ? 'oldLink' : undefined;
  });
};

const checkSource = (
  header: readonly string[],
  fields: readonly (Field | undefined)[],
  source: SourceName,
): void => {
  const { title, destination } = sources[source];
  if (!fields.includes('destination'))
    refuse(
      `file is not an export of ${title}: it has no column ${listOf(destination)}; it has ${listOf(header)}`,
    );
};

/** The first, completed by the second for columns whose field the first has nowhere else. */
const joined = (
  first: readonly (Field | undefined)[],
  second: readonly (Field | undefined)[],
): (Field | undefined)[] =>
  second.map((field, at) => first[at] ?? (first.includes(field) ? undefined : field));

const lossColumnsOf = (
  header: readonly string[],
  mapped: readonly (Field | undefined)[],
  source: SourceName | undefined,
): LossColumn[] =>
  header.flatMap((name, at) => {
    const loss = source && losses[source].find(({ column }) => plain(column) === plain(name));
    return loss && mapped[at] === undefined ? [{ at, name: shortened(name), loss }] : [];
  });

const oldLinksOf = (
  header: readonly string[],
  fields: readonly (Field | undefined)[],
  source: SourceName | undefined,
): number[] => {
  const names = source ? sources[source].oldLink.map(plain) : [];
  const rank = (at: number): number => names.indexOf(plain(header[at]!));
  return fields.flatMap((field, at) => (field === 'oldLink' ? [at] : [])).sort((a, b) => rank(a) - rank(b));
};

/** Only old links may be in several columns of an export. */
const checkTwice = (header: readonly string[], fields: readonly (Field | undefined)[]): void => {
  for (const [at, field] of fields.entries()) {
    const before = fields.indexOf(field);
    if (field !== undefined && field !== 'oldLink' && before < at)
      refuse(`file has two columns for ${field}: ${quoted(header[before])} and ${quoted(header[at])}`);
  }
};

const checkMisspelt = (unknown: readonly string[]): void => {
  const meant = unknown.flatMap((name) => {
    const column = nearest(name);
    return column === undefined ? [] : [`${quoted(name)}: did you mean ${column}?`];
  });
  if (meant.length > 0)
    refuse(
      `file has columns that are not known. ${meant.slice(0, namedMax).join(' ')} Rename them, or remove them`,
    );
};

const takenText = (
  header: readonly string[],
  named: readonly (Field | undefined)[],
  fields: readonly (Field | undefined)[],
): string[] =>
  fields.flatMap((field, at) =>
    field !== undefined && named[at] === undefined
      ? [`The column ${quoted(header[at])} is taken as ${field}`]
      : [],
  );

/** Refuses a list of addresses whose first one has no scheme. */
const checkAddress = (header: readonly string[]): void => {
  const address = header.find((name) => /^(?:www\.\S+|[\w-]+(?:\.[\w-]+)+\/\S*)$/i.test(name));
  if (address !== undefined)
    refuse(
      `file has no header, and its addresses must begin with https:// or http://; given: ${quoted(address)}`,
    );
};

const ignoredText = (unknown: readonly string[], source: SourceName | undefined): string[] => {
  if (unknown.length === 0) return [];
  return source
    ? [`Not taken over from the export of ${sources[source].title}: ${listOf(unknown)}`]
    : [`Columns that are not known are ignored: ${listOf(unknown)}`];
};

/** @returns every name that a column is recognised by */
export const headerNames = (mapping: HeaderOptions['mapping'] = {}): string[] => [
  ...columnNames,
  ...Object.keys(commonNames),
  ...Object.values(sources).flatMap(({ destination, name, oldLink }) => [
    ...destination,
    ...name,
    ...oldLink,
  ]),
  ...Object.keys(mapping),
];

/** @throws {ClientError} UNPROCESSABLE for misspelt or repeated columns, or if none gives a code's content */
export const readHeader = (header: readonly string[], { source, mapping }: HeaderOptions): Header => {
  const own = header.map((name) => ownByPlainName.get(plain(name)));
  const chosen = source ?? recognise(header);
  const mapped = mapping ? mappedFields(header, mapping) : header.map(() => undefined);
  const special = chosen ? joined(mapped, sourceFields(header, chosen)) : mapped;
  const hasOwn = chosen === undefined || sources[chosen].hasOwnColumns === true;
  const named = hasOwn ? joined(special, own) : special;
  const fields = chosen ? named : joined(named, header.map(commonNameOf));
  checkTwice(header, fields);
  if (chosen) checkSource(header, fields, chosen);
  const lossColumns = lossColumnsOf(header, mapped, chosen);
  const reported = new Set(lossColumns.map(({ at }) => at));
  const unknown = header.filter((name, at) => fields[at] === undefined && name !== '' && !reported.has(at));
  if (hasOwn && mapping === undefined) checkMisspelt(unknown);
  if (!fields.some((field) => field !== undefined && contentColumns.has(field))) {
    checkAddress(header);
    refuse(
      `file must have a column destination in its first row, or another one that says what a code holds; it has ${listOf(header)}. ` +
        'A list of web addresses needs no header; other names are given by mapping',
    );
  }
  return {
    fields,
    oldLinks: oldLinksOf(header, fields, chosen),
    lossColumns,
    ...(chosen && { source: chosen }),
    warnings: [
      ...takenText(header, named, fields),
      ...ignoredText(
        unknown.map((name) => shortened(name)),
        chosen,
      ),
    ],
  };
};
