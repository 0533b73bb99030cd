/**
 * From the header Host to the domain of a workspace. Anybody can invent a name, so that names which nothing is known of are looked up
 * at a bounded rate. Where a name cannot be decided now, the request counts as one to QR_HOST: printed codes work there as well.
 */
import { type DomainDocument, domainDocumentId } from '#schemas/documents.ts';
import type { Logger } from '#shared/logger.ts';
import { createMemo } from '#shared/memo.ts';
import { createAbsences } from '../codes/absences.ts';
import { createTokenBucket } from '../codes/token-bucket.ts';
import type { DocumentStore } from '../documents/document-store.ts';
import { hostLengthMax, hostNameOf } from './host-name.ts';

export interface DomainOptions {
  /** Names of our own hosts: they are nobody's domains. */
  ownHosts: readonly string[];
  /** Headers whose name is remembered. */
  hostsMax: number;
  /** Names that nothing is known of and that are looked up; beyond it they count as QR_HOST. */
  lookupsPerSecond: number;
  /** For how long a name that no source could say anything of counts as QR_HOST. */
  undecidedMs: number;
  undecidedMax: number;
}

export interface Domains {
  /**
   * The domain that a request is for. Null where it is for QR_HOST, or counts as such; undefined where the domain must be loaded.
   * @param host as the header has it
   */
  at(host: string): DomainDocument | null | undefined;
  /** Never fails. */
  load(host: string): Promise<DomainDocument | null>;
  readonly statistics: Readonly<DomainStatistics>;
}

export interface DomainStatistics {
  /** Names looked up. */
  looked_up: number;
  /** Names not looked up, since too many were. */
  refused: number;
  /** Names that no source could say anything of. */
  undecided: number;
}

/** @param now a clock that is never set, in ms */
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

  /** The id of the document that a header would have; empty where it can have none. */
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
      logger.debug({ err: error, id }, 'a domain cannot be looked up');
      return null;
    } finally {
      loading.delete(id);
    }
  };

  return {
    at(host) {
      const id = idOf(host);
      if (id === '') return null;
      const held = documents.held(id);
      if (held !== undefined) return held;
      return loading.has(id) || mayLookUp(id) ? undefined : null;
    },
    load(host) {
      const id = idOf(host);
      let found = loading.get(id);
      if (found === undefined) {
        found = lookUp(id);
        loading.set(id, found);
      }
      return found;
    },
    statistics,
  };
};
