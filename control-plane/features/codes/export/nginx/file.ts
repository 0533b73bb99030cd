/** The exit guarantee: one file with which nginx alone goes on redirecting every printed code of a workspace. */
import { isCodeIdShaped } from '#shared/ids.ts';
import type { ScanCounts } from '../../analytics/scan-counts.ts';
import { readRecord } from '../../publishing/records.ts';
import type { Code } from '../../store/code.ts';
import { nginxAnswer } from './answer.ts';
import { createEntries } from './entries.ts';
import { type FileFacts, head, tail } from './layout.ts';

export interface NginxFileOptions extends FileFacts {
  scanCounts: ScanCounts;
}

/** Counts of the codes that have a cap, where ClickHouse gives them. */
const countCapped = async (
  scanCounts: ScanCounts,
  workspaceId: string,
  page: readonly Code[],
): Promise<ReadonlyMap<string, number>> => {
  const ids = page.filter(({ maxScans }) => maxScans !== null).map(({ id }) => id);
  if (ids.length === 0) return new Map();
  return (await scanCounts.of(workspaceId, ids)).counts;
};

/** A text of this file, page by page. */
export async function* nginxFile(
  pages: AsyncIterable<Code[]>,
  options: NginxFileOptions,
): AsyncGenerator<string> {
  const { scanCounts, workspaceId, qrHost, now } = options;
  const entries = createEntries();
  let start = head(options) + entries.begin();
  let codes = 0;

  const entryOf = (code: Code, scanCount: number | undefined): string => {
    const readable = readRecord(code);
    // No redirector answers it either. JSON has no line breaks, which would end the comment.
    if (!isCodeIdShaped(code.id) || 'problem' in readable)
      return `  # ${JSON.stringify(code.id)} is not readable: 404\n`;
    const { answer, notes } = nginxAnswer(readable.record, scanCount, now);
    return entries.entry(code.id, answer, notes);
  };

  for await (const page of pages) {
    const counts = await countCapped(scanCounts, workspaceId, page);
    codes += page.length;
    yield start + page.map((code) => entryOf(code, counts.get(code.id))).join('');
    start = '';
  }
  yield start + entries.end() + tail(qrHost, entries.maps(), codes);
}
