/** A file that is generated while it is sent. */
import type { Reply } from './operation.ts';
import type { Piece } from './pieces.ts';

/** A file that is read at its client's pace. @param name ASCII, without quotes */
export const attachment = (name: string, contentType: string, pieces: AsyncGenerator<Piece>): Reply => ({
  headers: { 'content-type': contentType, 'content-disposition': `attachment; filename="${name}"` },
  pieces,
});
