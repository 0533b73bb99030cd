/**
 * A scan, from its id to its answer:
 *
 *   address limit → resolve → decide ─┬─ leads somewhere: cap → report, record → answer, once stored (completion.ts)
 *                                     └─ leads nowhere: answer at once (answers.ts)
 *
 * A password arrives in a request of its own (password-check.ts). This folder chooses an answer's status and headers;
 * only http/ reads requests and writes responses.
 */
import type { CodeRecord } from '#schemas/code-record.ts';
import { type Decision, decide } from '#shared/decide/decide.ts';
import type { Logger } from '#shared/logger.ts';
import type { Resolver } from '../codes/resolver.ts';
import type { Brands } from '../domains/brands.ts';
import { isServedAt } from '../domains/site.ts';
import type { AddressLimit } from '../limits/address-limit.ts';
import type { Caps } from '../limits/caps.ts';
import { answers } from '../pages/index.ts';
import type { ScanReports } from '../scan-reports/scan-reports.ts';
import type { UnknownCodes } from '../unknown-codes/unknown-codes.ts';
import type { VisitorHasher } from '../visitor/visitor-hash.ts';
import { createScanAnswers, type ScanAnswers } from './answers.ts';
import { createCompletion, isCapped, type ScanRecorder } from './completion.ts';
import { createToScanEvent } from './event.ts';
import { createFindOwner } from './find-owner.ts';
import { leadsSomewhere, type Outcome } from './outcome.ts';
import { createPasswordCheck } from './password-check.ts';
import type { ScanRequest } from './request.ts';
import type { VerifyPassword } from './verify-password.ts';
import { createWaiting, type Waiting } from './waiting.ts';

export interface ScanHandlerParts {
  resolver: Pick<Resolver, 'held' | 'load'>;
  brands: Pick<Brands, 'held' | 'load'>;
  addressLimit: AddressLimit;
  caps: Caps;
  visitorHasher: VisitorHasher;
  recorder: ScanRecorder;
  reports: Pick<ScanReports, 'report'>;
  unknownCodes: Pick<UnknownCodes, 'note'>;
  verifyPassword: VerifyPassword;
  logger: Logger;
  /** The origin of QR_HOST. */
  qrHost: string;
  /** Uniform in [0, 1). */
  random(): number;
}

export interface ScanHandler {
  /** GET and HEAD. */
  handle(request: ScanRequest): void;
  /** GET and HEAD of a preview, which is no scan; the request must be detached. Never rejects. */
  preview(request: ScanRequest): Promise<void>;
  /** POST of a password; the request must be detached. Never rejects. */
  enterPassword(request: ScanRequest, password: string): Promise<void>;
  /** Scans that wait for a source, a cap or a password check. */
  readonly waiting: number;
  readonly statistics: Readonly<Record<Outcome, number>>;
}

/** A domain has only the codes of its workspace. */
const presentAt = ({ site }: ScanRequest, record: CodeRecord | null): CodeRecord | null =>
  record !== null && isServedAt(site, record.workspaceId) ? record : null;

/** @param random uniform in [0, 1) */
const createDecide =
  (random: () => number) =>
  (record: CodeRecord, request: ScanRequest, unlocked: boolean): Decision => {
    const { atMs, country, userAgent } = request.visit;
    return decide(record, {
      nowMs: atMs,
      country,
      device: userAgent.device,
      os: userAgent.os,
      browser: userAgent.browser,
      asked: request,
      draw: record.variants ? random() : 0,
      unlocked,
    });
  };

/** Counts a scan of a code that does not exist at a workspace's domain; at QR_HOST it could be of anybody. */
const createRefuseUnknown =
  (unknownCodes: Pick<UnknownCodes, 'note'>, scanAnswers: Pick<ScanAnswers, 'refuseUnknown'>) =>
  (request: ScanRequest): void => {
    const { site, visit } = request;
    if (site !== undefined && visit.counts) {
      const { workspaceId, domain } = site;
      unknownCodes.note({ workspaceId, domain, path: request.path(), atMs: visit.atMs });
    }
    scanAnswers.refuseUnknown(request);
  };

type Load = (id: string) => Promise<CodeRecord | null | undefined>;

/** @returns the record, null if there is none, undefined if no source can answer */
const createLoad =
  ({ resolver, logger }: Pick<ScanHandlerParts, 'resolver' | 'logger'>, waiting: Waiting): Load =>
  async (id) => {
    try {
      return await waiting.during(() => resolver.load(id));
    } catch (error) {
      logger.debug({ err: error, id }, 'could not look up a code');
      return undefined;
    }
  };

/** Typed, not scanned: an unknown code is no misprint. */
const createAnswerPreview =
  ({ resolver, addressLimit }: ScanHandlerParts, load: Load, scanAnswers: ScanAnswers) =>
  async (request: ScanRequest): Promise<void> => {
    const { visit, id } = request;
    if (!addressLimit.allows(visit.address, visit.atMs)) return scanAnswers.refuse(request);
    const found = resolver.held(id) ?? (await load(id));
    if (found === undefined) return scanAnswers.send(request, 'unavailable', answers.unavailable);
    const record = presentAt(request, found);
    if (record === null) scanAnswers.refuseUnknown(request);
    else scanAnswers.preview(request, record);
  };

export const createScanHandler = (parts: ScanHandlerParts): ScanHandler => {
  const { resolver, addressLimit, logger, random } = parts;
  const waiting = createWaiting();
  const scanAnswers = createScanAnswers(addressLimit, logger, parts.qrHost);
  const refuseUnknown = createRefuseUnknown(parts.unknownCodes, scanAnswers);
  const toScanEvent = createToScanEvent(parts.visitorHasher);
  const findOwner = createFindOwner(parts.brands, waiting);
  const completion = createCompletion({ ...parts, toScanEvent, scanAnswers, findOwner, waiting });
  const { complete, completeCapped } = completion;

  const load = createLoad(parts, waiting);
  const answerPreview = createAnswerPreview(parts, load, scanAnswers);
  const decideFor = createDecide(random);
  const checkPassword = createPasswordCheck({
    ...parts,
    scanAnswers,
    completion,
    findOwner,
    waiting,
    decideFor,
  });

  /** Runs the rest of a scan that is answered later. */
  const answerLater = async (request: ScanRequest, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      scanAnswers.fail(request, error);
    }
  };

  const respondWithPage = async (request: ScanRequest, record: CodeRecord, decision: Decision) => {
    await findOwner(request, record);
    if (!leadsSomewhere(decision)) scanAnswers.turnAway(request, decision);
    else if (isCapped(record)) await completeCapped(request, record, decision, '302 Found');
    else complete(request, record, decision, '302 Found');
  };

  const respond = (request: ScanRequest, found: CodeRecord | null): void => {
    const record = presentAt(request, found);
    if (record === null) return refuseUnknown(request);
    const decision = decideFor(record, request, false);
    if (decision.kind === 'redirect' && !isCapped(record))
      return complete(request, record, decision, '302 Found');
    const later = request.detach();
    if (decision.kind === 'redirect' && isCapped(record))
      void answerLater(later, () => completeCapped(later, record, decision, '302 Found'));
    else void answerLater(later, () => respondWithPage(later, record, decision));
  };

  const loadThenRespond = async (request: ScanRequest): Promise<void> => {
    const record = await load(request.id);
    if (record === undefined) scanAnswers.send(request, 'unavailable', answers.unavailable);
    else respond(request, record);
  };

  const answerScan = (request: ScanRequest): void => {
    const { visit, id } = request;
    if (!addressLimit.allows(visit.address, visit.atMs)) return scanAnswers.refuse(request);
    const record = resolver.held(id);
    if (record !== undefined) return respond(request, record);
    const detached = request.detach();
    void answerLater(detached, () => loadThenRespond(detached));
  };

  const answerPassword = async (request: ScanRequest, password: string): Promise<void> => {
    const { visit, id } = request;
    if (!addressLimit.allows(visit.address, visit.atMs)) return scanAnswers.refuse(request);
    const found = resolver.held(id) ?? (await load(id));
    if (found === undefined) return scanAnswers.send(request, 'unavailable', answers.unavailable);
    const record = presentAt(request, found);
    if (record === null) return refuseUnknown(request);
    await checkPassword(request, record, password);
  };

  return {
    handle(request) {
      try {
        answerScan(request);
      } catch (error) {
        scanAnswers.fail(request, error);
      }
    },
    preview: (request) => answerLater(request, () => answerPreview(request)),
    enterPassword: (request, password) => answerLater(request, () => answerPassword(request, password)),
    get waiting() {
      return waiting.count;
    },
    statistics: scanAnswers.statistics,
  };
};
