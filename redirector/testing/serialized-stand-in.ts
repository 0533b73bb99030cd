/**
 * The control plane's part in serialized items, for tests: it answers lookups, and counts the scans that redirectors
 * report.
 */
import type http from 'node:http';
import { buffer } from 'node:stream/consumers';
import { zstdDecompressSync } from 'node:zlib';
import { serializeDocument } from '#schemas/documents.ts';
import {
  type BatchRecord,
  type ItemState,
  type VerificationEvent,
  verificationEvent,
} from '#schemas/verification.ts';
import type { KeyFingerprint } from '#shared/serial-signatures.ts';

export interface SerializedStandIn {
  items: Map<string, ItemState>;
  batches: Map<string, BatchRecord>;
  /** Events taken, each once, in order of arrival. */
  events: VerificationEvent[];
  /** Items looked up. */
  asked: string[];
  /** Fingerprints of its keys; undefined if it does not answer. */
  fingerprints: KeyFingerprint[] | undefined;
  /** Whether segments are taken; 503 if not. */
  takes: boolean;
  /** Called before a lookup of items is answered. */
  beforeLookup: () => Promise<void>;
}

export const createSerializedStandIn = (): SerializedStandIn => ({
  items: new Map(),
  batches: new Map(),
  events: [],
  asked: [],
  fingerprints: undefined,
  takes: true,
  beforeLookup: async () => {},
});

const count = ({ items, events }: SerializedStandIn, event: VerificationEvent): void => {
  events.push(event);
  const item = items.get(event.itemId);
  if (item) items.set(item.id, { ...item, scanCount: item.scanCount + 1, first: item.first ?? event.first });
};

/** The segments taken, by stand-in. */
const taken = new WeakMap<SerializedStandIn, Set<string>>();

const takeSegment = async (
  standIn: SerializedStandIn,
  name: string,
  req: http.IncomingMessage,
  res: http.ServerResponse,
): Promise<void> => {
  const body = await buffer(req);
  if (!standIn.takes) return void res.writeHead(503).end();
  const lines = zstdDecompressSync(body).toString('utf8').trimEnd().split('\n');
  const events = lines.map((line) => verificationEvent.parse(JSON.parse(line)));
  const names = taken.get(standIn) ?? new Set();
  taken.set(standIn, names);
  if (!names.has(name)) for (const event of events) count(standIn, event);
  names.add(name);
  res.end('{}');
};

/** @returns whether the request was one of these and has been answered */
export const answerSerialized = (
  standIn: SerializedStandIn,
  url: URL,
  req: http.IncomingMessage,
  res: http.ServerResponse,
): boolean => {
  const ids = url.searchParams.get('ids')?.split(',') ?? [];
  if (url.pathname === '/internal/serialized/keys') {
    if (standIn.fingerprints) res.end(JSON.stringify(standIn.fingerprints));
    else res.writeHead(404).end();
  } else if (url.pathname === '/internal/serialized/items') {
    standIn.asked.push(...ids);
    void standIn.beforeLookup().then(() => {
      res.end(JSON.stringify(ids.flatMap((id) => standIn.items.get(id) ?? [])));
    });
  } else if (url.pathname === '/internal/documents') {
    res.end(
      JSON.stringify(
        ids.flatMap((id) => {
          const batch = standIn.batches.get(id);
          return batch ? serializeDocument(batch) : [];
        }),
      ),
    );
  } else if (url.pathname === '/internal/serialized/verifications') {
    void takeSegment(standIn, url.searchParams.get('segment') ?? '', req, res);
  } else return false;
  return true;
};
