/** A form with a file, as a client sends it. */

export interface EncodedForm {
  body: Buffer;
  headers: { 'content-type': string };
}

/** @param file sent as `file`; absent for a form without one */
export const encodeForm = async (
  fields: Readonly<Record<string, string>>,
  file?: string | Buffer,
): Promise<EncodedForm> => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  if (file !== undefined) form.append('file', new Blob([new Uint8Array(Buffer.from(file))]), 'sheet');
  const encoded = new Response(form);
  return {
    body: Buffer.from(await encoded.arrayBuffer()),
    headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
  };
};
