/** Scans as server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
import { inPieces, type Piece } from '../../../api/http/pieces.ts';
import type { Selection } from '../single-scans.ts';
import { logPages } from './files.ts';
import type { Live } from './live.ts';
import {
  createPasses,
  type Kind,
  type LoggedScan,
  type Place,
  parseLogged,
  placeOf,
  toScanObject,
} from './log.ts';
import type { ReadScans } from './reads.ts';

/** Proxies close connections that say nothing, usually after a minute. */
const heartbeatMs = 15_000;
const reconnectMs = 2_000;
/** A stream ends then: its client connects again, and the key is checked again. */
export const streamMinutes = 5;

export interface StreamOptions {
  read: ReadScans;
  live: Live;
  /** The id of an event: a client that connects again continues behind it. */
  idOf(place: Place): string;
  /** After this time a stream ends. */
  streamMs: number;
}

/** Passes over the scans that a client has got before: up to its place. */
const createIsNew = (place: Place | undefined): ((scan: LoggedScan) => boolean) => {
  let passing = place;
  return ({ recordedMs, eventId }) => {
    if (passing === undefined) return true;
    if (recordedMs < passing.recordedMs) return false;
    const isPlace = recordedMs === passing.recordedMs && eventId === passing.eventId;
    if (isPlace || recordedMs > passing.recordedMs) passing = undefined;
    return !isPlace && passing === undefined;
  };
};

/** @param from behind which the client continues; undefined: it gets only what is recorded from now on */
export async function* scanEvents(
  { read, live, idOf, streamMs }: StreamOptions,
  selection: Selection,
  kind: Kind,
  from: Place | undefined,
): AsyncGenerator<Piece> {
  const scans = await live.join(selection.workspaceId);
  const endsAtMs = performance.now() + streamMs;
  const leftMs = (): number => Math.max(0, endsAtMs - performance.now());
  const next = () => scans.next(Math.min(heartbeatMs, leftMs()));
  const passes = createPasses(selection, kind);
  const eventOf = (scan: LoggedScan): string =>
    `id: ${idOf(placeOf(scan))}\nevent: scan\ndata: ${JSON.stringify(toScanObject(scan))}\n\n`;
  try {
    yield () => `retry: ${reconnectMs}\n\n`;
    if (from !== undefined && from.recordedMs <= scans.place.recordedMs) {
      const missed = { selection, kind, order: 'asc', after: from, upTo: scans.place } as const;
      for await (const page of logPages(read, missed)) {
        yield* inPieces(page, (lines) => lines.map(parseLogged).map(eventOf).join(''));
        if (leftMs() === 0) return;
      }
    }
    const isAhead = from !== undefined && from.recordedMs > scans.place.recordedMs;
    const isNew = createIsNew(isAhead ? from : undefined);
    const textOf = (lines: readonly string[]): string =>
      lines
        .map(parseLogged)
        .filter((scan) => isNew(scan) && passes(scan))
        .map(eventOf)
        .join('');
    for (let lines = await next(); lines; lines = await next()) {
      yield* inPieces(lines, textOf);
      if (leftMs() === 0) return;
      if (lines.length === 0) yield () => ': waiting\n\n';
    }
  } finally {
    scans.leave();
  }
}
