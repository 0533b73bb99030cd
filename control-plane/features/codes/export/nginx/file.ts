/** The exit guarantee: one file with which nginx keeps redirecting every printed code, of a workspace or of all. */
import { slugOf } from '#schemas/aliases.ts';
import { isCodeIdShaped } from '#shared/ids.ts';
import { inPieces, type Piece } from '../../../../api/http/pieces.ts';
import type { StoredAlias } from '../../aliases/store.ts';
import { readRecord } from '../../record.ts';
import type { Code } from '../../store/code.ts';
import { nginxAnswer } from './answer.ts';
import { createEntries, type NginxAlias } from './entries.ts';
import { type FileFacts, head, tail } from './layout.ts';

/** For which the tables of nginx have room in any file. */
const aliasesPerMapMin = 1000;

export interface NginxFileOptions extends FileFacts {
  /** The scan counts of codes of one workspace, if known. */
  countsOf(workspaceId: string, ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** The aliases of codes, by code. */
  aliasesOf(ids: readonly string[]): Promise<ReadonlyMap<string, readonly StoredAlias[]>>;
}

/** As it is written, and as it is looked up, which differ by more than the case of ASCII. Text that would end a word has no alias. */
const addressesOf = ({ alias, domain, aliasCase }: StoredAlias, sharedHost: string): NginxAlias[] => {
  const isExact = aliasCase === 'exact';
  const start = domain === null ? `${sharedHost}/r/` : `${domain}/`;
  const forms = isExact
    ? [alias]
    : new Set([alias.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()), slugOf(alias)]);
  return [...forms].map((form) => ({ address: start + form, isExact }));
};

/** Scan counts of the codes that have a cap. @param page codes of one workspace */
const countCapped = async (
  countsOf: NginxFileOptions['countsOf'],
  page: readonly Code[],
): Promise<ReadonlyMap<string, number>> => {
  const capped = page.filter(({ maxScans }) => maxScans !== null);
  if (!capped[0]) return new Map();
  return countsOf(
    capped[0].workspaceId,
    capped.map(({ id }) => id),
  );
};

/** This file, in pieces. @param pages each with codes of one workspace */
export async function* nginxFile(
  pages: AsyncIterable<Code[]>,
  options: NginxFileOptions,
): AsyncGenerator<Piece> {
  const { countsOf, aliasesOf, qrHost, now } = options;
  const entries = createEntries(Math.max(aliasesPerMapMin, options.codes));
  const sharedHost = new URL(qrHost).hostname;
  let start = head(options) + entries.begin();
  let codes = 0;
  const [linkBases, aliasHosts] = [new Set<string>(), new Set<string>()];

  const entryOf = (
    code: Code,
    scanCount: number | undefined,
    aliases: readonly StoredAlias[] = [],
  ): string => {
    const readable = readRecord(code);
    // Redirectors do not answer it either. JSON has no line breaks, which would end the comment.
    if (!isCodeIdShaped(code.id) || 'problem' in readable)
      return `  # ${JSON.stringify(code.id)} is not readable: 404\n`;
    const { answer, notes } = nginxAnswer(readable.record, scanCount, now);
    for (const { domain } of aliases) if (domain !== null) aliasHosts.add(domain);
    const addresses = aliases.flatMap((alias) => addressesOf(alias, sharedHost));
    return entries.entry(code.id, answer, notes, addresses);
  };

  for await (const page of pages) {
    const counts = await countCapped(countsOf, page);
    const aliases = await aliasesOf(page.map(({ id }) => id));
    codes += page.length;
    for (const { linkBase } of page) if (linkBase !== null) linkBases.add(linkBase);
    yield* inPieces(page, (some) => {
      const text =
        start + some.map((code) => entryOf(code, counts.get(code.id), aliases.get(code.id))).join('');
      start = '';
      return text;
    });
  }
  yield () => {
    const ended = entries.end();
    const maps = { answerMaps: entries.maps(), aliasMaps: entries.aliasMaps() };
    return start + ended + tail(qrHost, { ...maps, codes, linkBases, aliasHosts });
  };
}
