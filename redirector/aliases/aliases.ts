/**
 * From an alias to the id of its code, by a document in memory. Aliases have no check as ids have: anyone can invent one.
 * What is held is answered without a limit. The rest is looked up at a bounded rate for each address, and for the
 * process; Redis has every alias that was published, so that the control plane is asked for few (open-documents.ts).
 */
import { aliasIn, aliasSpace, slugOf } from '#schemas/aliases.ts';
import { type AliasDocument, aliasDocumentId } from '#schemas/documents.ts';
import type { Logger } from '#shared/logger.ts';
import type { DocumentStore } from '../documents/document-store.ts';
import type { Site } from '../domains/site.ts';
import { createTokenBucket } from '../held/token-bucket.ts';
import type { AddressLimit } from '../limits/address-limit.ts';
import { createRateLimitHeaders } from '../limits/address-limit-headers.ts';
import { type Answer, answers } from '../pages/index.ts';
import type { ClientNetwork } from '../visitor/client-network.ts';

/** The alias of a request. */
export interface AskedAlias {
  /** In its normal form. */
  readonly alias: string;
  readonly documentId: string;
  readonly isExact: boolean;
}

/** The id of the code, null if there is none; or the refusal of a lookup, with headers for its answer. */
export type AliasLookup =
  | { readonly codeId: string | null }
  | { readonly answer: Answer; readonly headers: readonly (readonly [name: string, value: string])[] };

export interface Aliases {
  /** @param segment as in the path @returns undefined if no alias has this form */
  read(segment: string, site: Site | undefined): AskedAlias | undefined;
  /** The id of its code; null if there is none, undefined if that must be looked up. */
  held(asked: AskedAlias): string | null | undefined;
  /** Never rejects. */
  load(asked: AskedAlias, network: ClientNetwork, nowMs: number): Promise<AliasLookup>;
  /** Requests that wait for a lookup. */
  readonly waiting: number;
  readonly statistics: Readonly<AliasStatistics>;
}

interface AliasStatistics {
  looked_up: number;
  /** Not looked up, because of the limit of their address. */
  limited: number;
  /** Not looked up, because of the limit of the process. */
  refused: number;
  /** No source could say. */
  undecided: number;
}

export interface AliasOptions {
  /** Lookups of aliases of which nothing is held. */
  lookupsPerSecond: number;
}

const codeOf = (document: AliasDocument | null, { alias, isExact }: AskedAlias): string | null => {
  if (document === null) return null;
  const found = isExact ? document.aliases.find((each) => each.alias === alias) : document.aliases[0];
  return found?.codeId ?? null;
};

/** @param now a clock that is never set, in ms */
export const createAliases = (
  { lookupsPerSecond }: AliasOptions,
  documents: Pick<DocumentStore<AliasDocument>, 'held' | 'holds' | 'load'>,
  addressLimit: AddressLimit,
  logger: Logger,
  now: () => number = () => performance.now(),
): Aliases => {
  const takeLookup = createTokenBucket(lookupsPerSecond, now);
  const rateLimit = createRateLimitHeaders(addressLimit.limit, addressLimit.windowMs);
  const statistics: AliasStatistics = { looked_up: 0, limited: 0, refused: 0, undecided: 0 };
  let waiting = 0;

  const unavailable = { answer: answers.unavailable, headers: [] } as const;

  const limitedAt = (nowMs: number): AliasLookup => ({
    answer: answers.tooManyScans,
    headers: [
      ['RateLimit-Policy', rateLimit.policy],
      ['RateLimit', rateLimit.value(0, nowMs)],
      ['Retry-After', String(rateLimit.resetS(nowMs))],
    ],
  });

  /** What is held is looked up again without a limit. */
  const refusalOf = (id: string, network: ClientNetwork, nowMs: number): AliasLookup | undefined => {
    if (documents.holds(id)) return undefined;
    if (!addressLimit.allows(network, nowMs)) {
      statistics.limited++;
      return limitedAt(nowMs);
    }
    addressLimit.count(network, nowMs);
    if (takeLookup()) return undefined;
    statistics.refused++;
    return unavailable;
  };

  const lookUp = async (asked: AskedAlias): Promise<AliasLookup> => {
    statistics.looked_up++;
    waiting++;
    try {
      return { codeId: codeOf(await documents.load(asked.documentId), asked) };
    } catch (error) {
      statistics.undecided++;
      logger.debug({ err: error, alias: asked.documentId }, 'could not look up an alias');
      return unavailable;
    } finally {
      waiting--;
    }
  };

  return {
    read(segment, site) {
      const alias = aliasIn(segment, site === undefined);
      if (alias === undefined) return undefined;
      const space = site ? aliasSpace(site.workspaceId, site.domain) : '';
      return {
        alias,
        documentId: aliasDocumentId(space, slugOf(alias)),
        isExact: site?.hasExactAliases ?? false,
      };
    },
    held(asked) {
      const document = documents.held(asked.documentId);
      return document === undefined ? undefined : codeOf(document, asked);
    },
    load: async (asked, network, nowMs) =>
      refusalOf(asked.documentId, network, nowMs) ?? (await lookUp(asked)),
    get waiting() {
      return waiting;
    },
    statistics,
  };
};
