/**
 * The control plane as a sink of verifications: one request for a segment, which the control plane recognises by the segment's
 * name, however often it is sent.
 */
import { type Dispatcher, request } from 'undici';
import { openBody } from './insert-body.ts';
import { SegmentRefusedError, type Sink } from './shipper.ts';

/** What a later try cannot change: the bytes are wrong, or too many. */
const refusals: ReadonlySet<number> = new Set([400, 413, 415, 422]);

/** @param timeoutMs of one segment */
export const createVerificationSink = (
  internalUrl: string,
  token: string,
  timeoutMs: number,
  dispatcher: Dispatcher,
): Sink => ({
  name: 'control plane',
  async send(segment, signal) {
    const { body, headers } = openBody(await segment.read(), 'zstd');
    try {
      const { statusCode, body: answer } = await request(
        `${internalUrl}/internal/serialized/verifications?segment=${encodeURIComponent(segment.name)}`,
        {
          dispatcher,
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson', ...headers },
          body,
          signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
        },
      );
      await answer.dump();
      const message = `the control plane answered ${statusCode} to a segment of verifications`;
      if (refusals.has(statusCode)) throw new SegmentRefusedError(message);
      if (statusCode !== 200) throw new Error(message);
    } finally {
      // The next segment is read into the same buffer: nothing may read from it any more.
      body.destroy();
    }
  },
});
