/**
 * Finds the workspace domain for a Host header. Host names can be made up, so unknown names are looked up at a bounded
 * rate. If a name cannot be decided now, the request counts as one to QR_HOST, where printed codes work too.
 */
import { type DomainDocument, domainDocumentId } from '#schemas/documents.ts';
import type { Logger } from '#shared/logger.ts';
import { createMemo } from '#shared/memo.ts';
import type { DocumentStore } from '../documents/document-store.ts';
import { createAbsences } from '../held/absences.ts';
import { createTokenBucket } from '../held/token-bucket.ts';
import { hostLengthMax, hostNameOf } from './host-name.ts';

export interface DomainOptions {
  /** Names of our own hosts, which cannot be workspace domains. */
  ownHosts: readonly string[];
  /** How many Host headers have their name remembered. */
  hostsMax: number;
  /** Lookups of unknown names; beyond that they count as QR_HOST. */
  lookupsPerSecond: number;
  /** How long a name that could not be looked up counts as QR_HOST. */
  undecidedMs: number;
  undecidedMax: number;
}

export interface Domains {
  /**
   * The domain that a request is for. Null if it is for QR_HOST, or counts as such; undefined if the domain must be
   * loaded.
   * @param host as in the header
   */
  at(host: string): DomainDocument | null | undefined;
  /** Never rejects. */
  load(host: string): Promise<DomainDocument | null>;
  /**
   * Whether the edge may get certificates for a name, as far as this process knows. Names that it does not hold are not looked up:
   * strangers invent them, and would use up the lookups of requests. Never rejects.
   */
  isCertified(name: string): Promise<boolean>;
  readonly statistics: Readonly<DomainStatistics>;
}

export interface DomainStatistics {
  /** Names looked up. */
  looked_up: number;
  /** Names not looked up, because of the rate limit. */
  refused: number;
  /** Names whose lookup failed. */
  undecided: number;
}

/** @param now a monotonic clock, in ms */
export const createDomains = (
  options: DomainOptions,
  documents: Pick<DocumentStore<DomainDocument>, 'held' | 'holds' | 'load'>,
  logger: Logger,
  now: () => number = () => performance.now(),
): Domains => {
  const own = new Set(options.ownHosts);
  const statistics: DomainStatistics = { looked_up: 0, refused: 0, undecided: 0 };
  const takeLookup = createTokenBucket(options.lookupsPerSecond, now);
  const undecided = createAbsences({ absentMax: options.undecidedMax, absentMs: options.undecidedMs });
  const loading = new Map<string, Promise<DomainDocument | null>>();

  /** The document id for a header; empty if it cannot have one. */
  const ids = createMemo(options.hostsMax, (host: string): string => {
    const name = hostNameOf(host);
    return name === undefined || own.has(name) ? '' : domainDocumentId(name);
  });
  const idOf = (host: string): string => (host.length > hostLengthMax ? '' : ids.get(host));

  const mayLookUp = (id: string): boolean => {
    if (documents.holds(id)) return true;
    if (undecided.has(id, now())) return false;
    if (takeLookup()) return true;
    statistics.refused++;
    return false;
  };

  const lookUp = async (id: string): Promise<DomainDocument | null> => {
    statistics.looked_up++;
    try {
      return await documents.load(id);
    } catch (error) {
      statistics.undecided++;
      undecided.hold(id, now());
      logger.debug({ err: error, id }, 'could not look up a domain');
      return null;
    } finally {
      loading.delete(id);
    }
  };

  const at: Domains['at'] = (host) => {
    const id = idOf(host);
    if (id === '') return null;
    const held = documents.held(id);
    if (held !== undefined) return held;
    return loading.has(id) || mayLookUp(id) ? undefined : null;
  };

  const load: Domains['load'] = (host) => {
    const id = idOf(host);
    let found = loading.get(id);
    if (found === undefined) {
      found = lookUp(id);
      loading.set(id, found);
    }
    return found;
  };

  return {
    at,
    load,
    async isCertified(name) {
      if (own.has(name)) return true;
      if (!documents.holds(idOf(name))) return false;
      const document = at(name) ?? (await load(name));
      return document?.active === true && document.certified === true;
    },
    statistics,
  };
};
