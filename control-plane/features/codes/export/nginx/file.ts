/** The exit guarantee: one file with which nginx keeps redirecting every printed code, of a workspace or of all. */
import { isCodeIdShaped } from '#shared/ids.ts';
import { inPieces, type Piece } from '../../../../api/http/pieces.ts';
import { readRecord } from '../../record.ts';
import type { Code } from '../../store/code.ts';
import { nginxAnswer } from './answer.ts';
import { createEntries } from './entries.ts';
import { type FileFacts, head, tail } from './layout.ts';

export interface NginxFileOptions extends FileFacts {
  /** The scan counts of codes of one workspace, if known. */
  countsOf(workspaceId: string, ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

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
  const { countsOf, qrHost, now } = options;
  const entries = createEntries();
  let start = head(options) + entries.begin();
  let codes = 0;
  const linkBases = new Set<string>();

  const entryOf = (code: Code, scanCount: number | undefined): string => {
    const readable = readRecord(code);
    // Redirectors do not answer it either. JSON has no line breaks, which would end the comment.
    if (!isCodeIdShaped(code.id) || 'problem' in readable)
      return `  # ${JSON.stringify(code.id)} is not readable: 404\n`;
    const { answer, notes } = nginxAnswer(readable.record, scanCount, now);
    return entries.entry(code.id, answer, notes);
  };

  for await (const page of pages) {
    const counts = await countCapped(countsOf, page);
    codes += page.length;
    for (const { linkBase } of page) if (linkBase !== null) linkBases.add(linkBase);
    yield* inPieces(page, (some) => {
      const text = start + some.map((code) => entryOf(code, counts.get(code.id))).join('');
      start = '';
      return text;
    });
  }
  yield () => start + entries.end() + tail(qrHost, entries.maps(), codes, linkBases);
}
