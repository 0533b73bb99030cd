/**
 * The control plane as a sink of lines: one request per segment, deduplicated by the segment's name.
 */
import { type Dispatcher, request } from 'undici';
import { openBody } from './insert-body.ts';
import { SegmentRefusedError, type Sink } from './shipper.ts';

/** Statuses that a retry cannot change: the bytes are wrong, or too many. */
const refusals: ReadonlySet<number> = new Set([400, 413, 415, 422]);

export interface ControlPlaneSinkOptions {
  internalUrl: string;
  token: string;
  /** Per segment. */
  timeoutMs: number;
}

/**
 * @param path to post segments to: `/internal/scans`
 * @param rows name of the rows, for errors: `scans`
 */
export const createControlPlaneSink = (
  path: string,
  rows: string,
  { internalUrl, token, timeoutMs }: ControlPlaneSinkOptions,
  dispatcher: Dispatcher,
): Sink => ({
  name: 'control plane',
  async send(segment, signal) {
    const { body, headers } = openBody(await segment.read(), 'zstd');
    try {
      const { statusCode, body: answer } = await request(
        `${internalUrl}${path}?segment=${encodeURIComponent(segment.name)}`,
        {
          dispatcher,
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson', ...headers },
          body,
          signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
        },
      );
      await answer.dump();
      const message = `the control plane answered ${statusCode} to a segment of ${rows}`;
      if (refusals.has(statusCode)) throw new SegmentRefusedError(message);
      if (statusCode !== 200) throw new Error(message);
    } finally {
      // The next segment is read into the same buffer, so nothing may read it after this.
      body.destroy();
    }
  },
});

/** Verifications of serialized items. */
export const createVerificationSink = (options: ControlPlaneSinkOptions, dispatcher: Dispatcher): Sink =>
  createControlPlaneSink('/internal/serialized/verifications', 'verifications', options, dispatcher);

/** Scans of codes whose workspaces have webhooks for scans. */
export const createReportSink = (options: ControlPlaneSinkOptions, dispatcher: Dispatcher): Sink =>
  createControlPlaneSink('/internal/scans', 'scans', options, dispatcher);

/** Scans of codes that do not exist, at domains of workspaces. */
export const createUnknownCodeSink = (options: ControlPlaneSinkOptions, dispatcher: Dispatcher): Sink =>
  createControlPlaneSink('/internal/unknown-codes', 'scans of unknown codes', options, dispatcher);

/** Views of hosted pages. */
export const createViewSink = (options: ControlPlaneSinkOptions, dispatcher: Dispatcher): Sink =>
  createControlPlaneSink('/internal/hosted/views', 'views of pages', options, dispatcher);
