/** A table → the links in it, with the mark of each that an earlier one stands for. */
import { normalAlias, slugOf } from '#schemas/aliases.ts';
import type { ImportSource } from '#schemas/api/imports.ts';
import { ClientError } from '#shared/errors.ts';
import { quoted } from '#shared/quoted.ts';
import { plain } from '../../../platform/spreadsheets/plain-name.ts';
import type { Spreadsheet, SpreadsheetRow } from '../../../platform/spreadsheets/spreadsheet.ts';
import type { Cells, Link } from './link.ts';
import { toLink } from './to-link.ts';
import { hasHeader, recognise, refuseUnknownFile, vendors } from './vendors/index.ts';

export interface ReadLinks {
  source: ImportSource;
  isDetected: boolean;
  links: Link[];
  /** Of another host than the one that was asked for. */
  skipped: number;
  notes: string[];
}

/** @param position of each column in the row, by its plain name */
const cellsOf =
  ({ cells }: SpreadsheetRow, position: ReadonlyMap<string, number>): Cells =>
  (name) =>
    cells[position.get(plain(name)) ?? -1] ?? '';

const positionsOf = (names: readonly string[]): Map<string, number> => {
  const positions = new Map<string, number>();
  for (const [at, name] of names.entries()) if (!positions.has(plain(name))) positions.set(plain(name), at);
  return positions;
};

/** Without a header, blank columns count: a table without titles still has its third column. */
const namesOf = (
  source: ImportSource,
  { columns, rows }: Spreadsheet,
): { names: string[]; body: SpreadsheetRow[] } => {
  const [first, ...rest] = rows;
  const header = first?.cells ?? [];
  const width = (columns.at(-1) ?? -1) + 1;
  if (hasHeader(source, header, width)) return { names: header, body: rest };
  const bare = vendors[source].columnsWithoutHeader ?? [];
  return { names: columns.map((at) => bare[at] ?? ''), body: rows };
};

/** The links that an earlier one stands for: by their short code, as written or but for its case, or by their id. */
function* markTwins(links: readonly Link[]): Generator<void> {
  const bySlug = new Map<string, number>();
  const byFold = new Map<string, number>();
  const byId = new Map<string, number>();
  for (const link of links) {
    const slugs = link.shortLinks.map(({ slug }) => normalAlias(slug));
    const same = slugs.map((slug) => bySlug.get(slug)).find(Boolean);
    const alike = slugs.map((slug) => byFold.get(slugOf(slug))).find(Boolean);
    const named = link.externalId === null ? undefined : byId.get(link.externalId);
    if (same !== undefined) link.twin = { number: same, by: 'slug' };
    else if (named !== undefined) link.twin = { number: named, by: 'externalId' };
    else if (alike !== undefined) link.twin = { number: alike, by: 'case' };
    for (const slug of slugs) {
      if (!bySlug.has(slug)) bySlug.set(slug, link.number);
      if (!byFold.has(slugOf(slug))) byFold.set(slugOf(slug), link.number);
    }
    if (link.externalId !== null && !byId.has(link.externalId)) byId.set(link.externalId, link.number);
    yield;
  }
}

/** More than a file has links. */
const placesMax = 2 ** 15;
/** Of a link whose date is not known: its code is made now. */
const lastSecond = 2 ** 37;

/**
 * The links by the second of their creation, oldest first, and those of one second as in the file. Both are in one number:
 * numbers are sorted in a millisecond, and links by a function in forty.
 */
function* byCreation(links: readonly Link[]): Generator<void, Link[]> {
  const keys = new Float64Array(links.length);
  for (const [at, { createdAt }] of links.entries()) {
    const second = createdAt === null ? lastSecond : Math.floor(Date.parse(createdAt) / 1_000);
    keys[at] = second * placesMax + at;
    yield;
  }
  keys.sort();
  yield;
  return [...keys].map((key) => links[key % placesMax]!);
}

/** The link by its short links of one host. @returns undefined if it has none */
const onHost = (link: Link, host: string | null): Link | undefined => {
  if (host === null) return link;
  const shortLinks = link.shortLinks.filter((each) => each.host === host);
  return shortLinks.length === 0 ? undefined : { ...link, shortLinks };
};

export interface ReadOptions {
  /** Undefined: it is recognised. */
  source: ImportSource | undefined;
  /** Null: links of every host. */
  host: string | null;
  now: Date;
}

/** In steps. @throws {ClientError} UNPROCESSABLE naming `file` or `host` */
export function* readLinks(
  table: Spreadsheet,
  { source, host, now }: ReadOptions,
): Generator<void, ReadLinks> {
  const known = source ?? recognise(table.rows[0]?.cells ?? []) ?? refuseUnknownFile();
  const { names, body } = namesOf(known, table);
  const positions = positionsOf(names);
  const { read, notes = [] } = vendors[known];
  const links: Link[] = [];
  for (const row of body) {
    const link = onHost(toLink(row.number, read(cellsOf(row, positions)), now), host);
    if (link) links.push(link);
    yield;
  }
  if (body.length === 0) throw new ClientError('UNPROCESSABLE', 'file must have at least 1 link; given: 0');
  if (links.length === 0)
    throw new ClientError(
      'UNPROCESSABLE',
      `host: no link of the file is on ${quoted(host)}; ${body.length} are on others`,
    );
  yield* markTwins(links);
  // Oldest first: lists show codes in the order in which they came to be.
  const inOrder = yield* byCreation(links);
  return {
    source: known,
    isDetected: source === undefined,
    links: inOrder,
    skipped: body.length - links.length,
    notes: [...table.notes, ...notes],
  };
}
