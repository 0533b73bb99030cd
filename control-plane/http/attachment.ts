/** A file that is made while it is sent. */
import { Readable } from 'node:stream';
import type { Reply } from './operation.ts';

/** A file that is read a page ahead of its client, and no more. @param name ASCII, without quotes */
export const attachment = (name: string, contentType: string, pages: AsyncGenerator<string>): Reply => ({
  headers: { 'content-type': contentType, 'content-disposition': `attachment; filename="${name}"` },
  body: Readable.from(pages, { objectMode: false, highWaterMark: 1 }),
});
