/** Takes the file of an import: it is read and stored, and the job of its check begins. */
import { importRowsMax } from '#schemas/api/imports.ts';
import { ClientError } from '#shared/errors.ts';
import type { Principal } from '../../api/access/authentication.ts';
import { inSteps } from '../../api/http/steps.ts';
import type { Reply } from '../../api/idempotency/reply.ts';
import type { Create } from '../../api/idempotency/request.ts';
import type { NewRow } from '../../jobs/row-inserts.ts';
import { noteSubject } from '../../platform/db/actions.ts';
import type { Pool } from '../../platform/db/pool.ts';
import type { SpreadsheetReader } from '../../platform/spreadsheets/spreadsheet-reader.ts';
import { toWholeObject } from './objects.ts';
import { type ImportForm, importBounds, pageNames, placesOf } from './read/form.ts';
import { hostsOf } from './read/hosts.ts';
import type { Link } from './read/link.ts';
import { readLinks } from './read/read-links.ts';
import { columnNames, vendors } from './read/vendors/index.ts';
import { requireRoom } from './room.ts';
import { importIds, insertImport, lockImports } from './store/imports.ts';
import { insertRows } from './store/rows.ts';
import { readLimits } from './work/limits.ts';
import { readPlace } from './work/place.ts';

export interface SubmissionOptions {
  pool: Pool;
  reader: Pick<SpreadsheetReader, 'read'>;
  /** The host name of QR_HOST. */
  sharedHost: string;
  /** The URL of an import. */
  locationOf(id: string): string;
}

function* toRows(links: readonly Link[]): Generator<void, NewRow[]> {
  const rows: NewRow[] = [];
  for (const [position, link] of links.entries()) {
    rows.push({ position, body: Buffer.from(JSON.stringify(link)) });
    yield;
  }
  return rows;
}

export const createSubmission = ({ pool, reader, sharedHost, locationOf }: SubmissionOptions) => {
  const read = async (
    form: ImportForm,
    { domain, host }: ReturnType<typeof placesOf>,
    workspaceId: string,
  ) => {
    const names = columnNames(form.source);
    const table = await reader.read(form.file.parts, importBounds, workspaceId, names, pageNames);
    const found = await inSteps(readLinks(table, { source: form.source, host, now: new Date() }));
    if (found.links.length > importRowsMax)
      throw new ClientError(
        'UNPROCESSABLE',
        `file must have at most ${importRowsMax} links; it has more: split it`,
      );
    const hosts = await inSteps(hostsOf(found.links, domain, vendors[found.source]));
    return { ...found, hosts, rows: await inSteps(toRows(found.links)) };
  };

  return (principal: Principal, form: ImportForm, create: Create): Promise<Reply> => {
    const { workspaceId, subscriptionId } = principal;
    const places = placesOf(form, sharedHost);
    const { domain, host } = places;
    return create({
      isLong: true,
      async prepare() {
        await requireRoom(pool, workspaceId);
        await readPlace(pool, workspaceId, domain);
        return read(form, places, workspaceId);
      },
      async effect(tx, { source, isDetected, rows, skipped, hosts, notes }) {
        await lockImports(tx, workspaceId);
        await requireRoom(tx, workspaceId);
        const id = importIds.create();
        const made = { id, workspaceId, subscriptionId, source, sourceDetected: isDetected };
        const found = await insertImport(tx, { ...made, domain, host, skipped, hosts, notes }, rows.length);
        await insertRows(tx, id, rows);
        noteSubject({ resourceId: id });
        const limits = await readLimits(tx, principal, found);
        return { status: 202, headers: { location: locationOf(id) }, body: toWholeObject(found, limits) };
      },
    });
  };
};
