/**
 * The GS1 resolver (GS1-Conformant Resolver Standard), from a Digital Link to its answer:
 *
 *   address limit → syntax → document ─┬─ serial of a key with serialized batches: verification (verify/)
 *                                      ├─ linkType=linkset: the list of all links
 *                                      └─ link → record → redirect, once it is stored
 *
 * A level without an entry is answered by the level above it. The exception is a serial of a key with serialized
 * batches: the product's page would vouch for a made-up serial.
 */
import type { Gs1Document, Gs1Link } from '#schemas/documents.ts';
import { Gs1Error } from '#shared/gs1/gs1-error.ts';
import type { Logger } from '#shared/logger.ts';
import type { Documents } from '../documents/document-store.ts';
import { isServedAt, originOf, type Site } from '../domains/site.ts';
import type { AddressLimit } from '../limits/address-limit.ts';
import { answers as pageAnswers } from '../pages/answers.ts';
import { gs1Answers, invalidLink, productLinksPage, unknownLinkType } from '../pages/gs1.ts';
import type { Recorder } from '../recording/recorder.ts';
import { createToScanEvent } from '../scan/event.ts';
import { createWaiting } from '../scan/waiting.ts';
import type { Verifier } from '../verify/verifier.ts';
import type { VisitorHasher } from '../visitor/visitor-hash.ts';
import { createGs1Answers, type Gs1Answers } from './answers.ts';
import { chooseLink } from './choose-link.ts';
import { type CompiledEntry, compile, entriesAt, withQuery } from './compiled-document.ts';
import { createDescription } from './description.ts';
import { linksetOf, linksForPeople } from './linkset.ts';
import { createReadPreferences, type Preferences } from './preferences.ts';
import type { Gs1Request } from './request.ts';
import { createReadTarget, type Gs1Target } from './target.ts';

type Outcome =
  | 'redirect'
  | 'linkset'
  | 'unknown'
  | 'invalid'
  | 'verification'
  | 'limited'
  | 'unavailable'
  | 'failed';

export interface Gs1Resolver {
  /** GET and HEAD of a Digital Link. */
  handle(request: Gs1Request): void;
  /** GET and HEAD of {@link descriptionPath}. */
  describe(reply: Gs1Request['reply'], site: Site | undefined): void;
  /** OPTIONS: CORS preflights of browsers. */
  preflight(reply: Gs1Request['reply']): void;
  /** Any other method. */
  refuseMethod(reply: Gs1Request['reply']): void;
  /** Requests that wait for a source. */
  readonly waiting: number;
  readonly statistics: Readonly<Record<Outcome, number>>;
}

export interface Gs1ResolverParts {
  documents: Documents<Gs1Document>;
  addressLimit: AddressLimit;
  verifier: Pick<Verifier, 'handleSerial'>;
  visitorHasher: VisitorHasher;
  recorder: Pick<Recorder, 'record'>;
  /** The origin of Digital Links on no workspace domain. */
  root: string;
  logger: Logger;
}

const noTrace = { ruleId: '', variantId: '' };

/** The link and its entry. */
interface Found {
  link: Gs1Link;
  entry: CompiledEntry['entry'];
}

/** The first requested type that exists, at the most specific level that has it. */
const findLink = (entries: readonly CompiledEntry[], preferences: Preferences): Found | undefined => {
  const [first] = entries;
  if (preferences.linkTypes.length === 0 && first)
    return { link: chooseLink(first.alternatives, preferences), entry: first.entry };
  for (const linkType of preferences.linkTypes) {
    for (const { entry, byType } of entries) {
      const links = byType.get(linkType);
      if (links) return { link: chooseLink(links, preferences), entry };
    }
  }
  return undefined;
};

/**
 * Whether one of the entries is for the serial itself: its owner knows it. A serial comes last in a path; elsewhere 21
 * is a value.
 */
const knowsSerial = (entries: readonly CompiledEntry[]): boolean =>
  entries.some(({ entry }) => /\/21\/[^/]+$/.test(entry.path));

type Respond = (request: Gs1Request, target: Gs1Target, document: Gs1Document | null) => void;

/** @returns answers a request whose key's document is known */
const createResponder = (
  { verifier, recorder, root, visitorHasher }: Gs1ResolverParts,
  answers: Gs1Answers,
  statistics: Record<Outcome, number>,
): Respond => {
  const toScanEvent = createToScanEvent(visitorHasher);
  const readPreferences = createReadPreferences();

  const redirect = (request: Gs1Request, { workspaceId }: Gs1Document, { link, entry }: Found): void => {
    statistics.redirect++;
    const event = toScanEvent(request.visit, { workspaceId, id: entry.id }, noTrace, '');
    answers.prepareRedirect(request, withQuery(link.href, request.query), entry.path);
    recorder.record(event, request.reply);
  };

  const sendLinkset = (
    request: Gs1Request,
    entries: readonly CompiledEntry[],
    preferences: Preferences,
  ): void => {
    statistics.linkset++;
    const description = entries[0]!.entry.itemDescription;
    answers.linkset(request, {
      json: () => linksetOf(entries, originOf(request.site, root)),
      page: (language, about) =>
        productLinksPage(description, linksForPeople(entries, preferences), language, about),
    });
  };

  /** @param asked the link types asked for, if there are links of other types */
  const refuseUnknown = (
    request: Gs1Request,
    asked: readonly string[] = [],
    isProductOfUnits = false,
  ): void => {
    statistics.unknown++;
    if (asked.length > 0) return answers.send(request, unknownLinkType(asked));
    if (request.site && !isProductOfUnits) return answers.send(request, pageAnswers.nothingHere);
    answers.send(request, isProductOfUnits ? gs1Answers.scanUnit : gs1Answers.unknown);
  };

  const verify = (request: Gs1Request, gtin: string, serial: string): void => {
    statistics.verification++;
    verifier.handleSerial(request, gtin, serial);
  };

  return (request, target, document) => {
    if (document === null || !isServedAt(request.site, document.workspaceId)) return refuseUnknown(request);
    const entries = entriesAt(compile(document), target.link);
    const preferences = readPreferences(request.query, request.accept(), request.acceptLanguage());
    const isPlain = !preferences.linkset && preferences.linkTypes.length === 0;
    const { gtin, serial } = target;
    if (document.serialized && isPlain && gtin !== undefined && serial !== undefined && !knowsSerial(entries))
      return verify(request, gtin, serial);
    if (preferences.linkset && entries.length > 0) return sendLinkset(request, entries, preferences);
    const found = preferences.linkset ? undefined : findLink(entries, preferences);
    if (found) redirect(request, document, found);
    else
      refuseUnknown(
        request,
        entries.length > 0 ? preferences.linkTypes : [],
        document.serialized && serial === undefined,
      );
  };
};

export const createGs1Resolver = (parts: Gs1ResolverParts): Gs1Resolver => {
  const { documents, addressLimit, root, logger } = parts;
  const answers = createGs1Answers(addressLimit, root);
  const readTarget = createReadTarget();
  const waiting = createWaiting();
  const ownDescription = createDescription(root);
  const statistics: Record<Outcome, number> = {
    redirect: 0,
    linkset: 0,
    unknown: 0,
    invalid: 0,
    verification: 0,
    limited: 0,
    unavailable: 0,
    failed: 0,
  };

  const respond = createResponder(parts, answers, statistics);

  const fail = (request: Gs1Request, outcome: 'unavailable' | 'failed', error: unknown): void => {
    statistics[outcome]++;
    const log = { err: error, path: request.path.slice(0, 200) };
    if (outcome === 'failed') logger.error(log, 'could not answer a Digital Link');
    else logger.debug(log, 'could not look up links');
    answers.send(request, gs1Answers.unavailable);
  };

  const loadThenRespond = async (request: Gs1Request, target: Gs1Target): Promise<void> => {
    let document: Gs1Document | null;
    try {
      document = await waiting.during(() => documents.load(target.documentId));
    } catch (error) {
      return fail(request, 'unavailable', error);
    }
    try {
      respond(request, target, document);
    } catch (error) {
      fail(request, 'failed', error);
    }
  };

  const answer = (request: Gs1Request): void => {
    const { address, atMs } = request.visit;
    if (!addressLimit.allows(address, atMs)) {
      statistics.limited++;
      return answers.refuse(request, gs1Answers.limited);
    }
    const target = readTarget(request.path, request.query);
    if (target instanceof Gs1Error) {
      statistics.invalid++;
      return answers.send(request, invalidLink(String(target)));
    }
    const document = documents.held(target.documentId);
    if (document !== undefined) respond(request, target, document);
    else void loadThenRespond(request.detach(), target);
  };

  return {
    handle(request) {
      try {
        answer(request);
      } catch (error) {
        fail(request, 'failed', error);
      }
    },
    describe: (reply, site) =>
      answers.sendUncounted(reply, site ? createDescription(originOf(site, root)) : ownDescription),
    preflight: (reply) =>
      answers.sendUncounted(reply, {
        status: '204 No Content',
        headers: [['Allow', 'GET, HEAD, OPTIONS']],
        body: Buffer.alloc(0),
      }),
    refuseMethod: (reply) =>
      answers.sendUncounted(reply, {
        ...gs1Answers.methodNotAllowed.json,
        headers: [...gs1Answers.methodNotAllowed.json.headers, ['Allow', 'GET, HEAD, OPTIONS']],
      }),
    get waiting() {
      return waiting.count;
    },
    statistics,
  };
};
