/** Documentation that several operations share. The introduction explains what the references name. */
import type { ResponseDocs } from './operation.ts';

/** For a response that is generated while it is sent. */
export const streamed = 'The response is streamed: see “Downloads” in the introduction.';

/** For a CSV that spreadsheet programs open. */
export const streamedCsv = 'The CSV is streamed: see “Downloads” in the introduction.';

/** For work that is done after the response. */
export const afterResponse = 'see “Asynchronous operations” in the introduction';

export const disposition = { 'content-disposition': '`attachment`, with a file name' };

export const furtherLimit = '8 downloads of the workspace are already in progress';

/** Responses with a file that is stored, so that parts of it can be requested. */
export const storedFile = (contentType: string, noun: string): Record<number, ResponseDocs> => {
  const file = (description: string, more: Record<string, string> = {}): ResponseDocs => ({
    description,
    contentTypes: [contentType],
    headers: {
      etag: `The tag of this ${noun}, for \`If-Range\``,
      'accept-ranges': '`bytes`: a part can be requested with `Range`',
      'content-disposition': 'The file name',
      ...more,
    },
  });
  return {
    200: file(`The ${noun}`),
    206: file(`The part of the ${noun} that \`Range\` requests`, {
      'content-range': 'The position of the part, and the total size',
    }),
    304: { description: `The ${noun} has not changed: its tag is in \`If-None-Match\`` },
  };
};

/** Refusals of the conditions in a request for a stored file. */
export const storedFileRefusals = (noun: string): Record<number, string> => ({
  412: `\`If-Match\` does not name this ${noun}`,
  416: `\`Range\` begins after the end of the ${noun}`,
});
