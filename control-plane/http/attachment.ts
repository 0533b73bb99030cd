/** A file that is made while it is sent. */
import type { Reply } from './operation.ts';
import type { Piece } from './pieces.ts';

/** A file that is read at the pace of its client. @param name ASCII, without quotes */
export const attachment = (name: string, contentType: string, pieces: AsyncGenerator<Piece>): Reply => ({
  headers: { 'content-type': contentType, 'content-disposition': `attachment; filename="${name}"` },
  pieces,
});
