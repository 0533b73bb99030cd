/** Documentation of files that are generated while they are sent. */

/** For every file that is generated while it is sent. */
export const sending =
  'The file is sent as fast as it is read. Where it cannot be finished, the connection is reset: a file that ended is whole.';

export const csvRules =
  'The CSV is UTF-8 with a byte order mark and commas; where Excel separates by semicolons, open it by Data → From Text/CSV. ' +
  'A cell that begins with `=`, `+`, `-`, `@`, a tab or a CR, whether after ' +
  'apostrophes or not, has one more apostrophe in front, so that no program takes it for a formula; so has each of the first four ' +
  'after a `;`, a tab or an end of a line in a cell, since some programs separate by these. A reader takes off one in each place.';

export const disposition = { 'content-disposition': '`attachment`, with a name for the file' };

export const furtherLimit = '8 downloads of the workspace are under way';
