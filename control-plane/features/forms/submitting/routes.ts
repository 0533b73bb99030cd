/** POST /f/{formId}: a visitor's submission. */
import { ClientError } from '#shared/errors.ts';
import type { ShownForm, Tokens } from '#shared/form-token.ts';
import { cutUserAgent } from '#shared/user-agent.ts';
import type { ServedDomains } from '../../../api/access/served-domains.ts';
import { formPairs } from '../../../api/http/form-body.ts';
import {
  type Operation,
  type PublicRequest,
  publicOperation,
  type Reply,
} from '../../../api/http/operation.ts';
import type { Outbox } from '../../../framework/outbox.ts';
import { isDatabaseUnavailable, type Pool } from '../../../platform/db/pool.ts';
import { requireOnOwnDomain } from '../../hosted/serving/own-domain.ts';
import { errorPage, pausedReply, unknownPage } from '../../hosted/serving/refusals.ts';
import { languageOfForm } from '../page/render-form.ts';
import type { Form } from '../page/shown-form.ts';
import type { Sender } from '../submissions/submission.ts';
import { keptReply, returnedReply, sentReply } from './answers.ts';
import { bodyBytesMax, bytesMaxOfForm, stepBytes } from './body-limit.ts';
import { checkValues } from './check-values.ts';
import { submitFormDocs } from './docs.ts';
import { type Guarded, guard } from './guard.ts';
import { isFromOurPage } from './origin.ts';
import { goneAnswers } from './sent-answers.ts';
import { type Submitted, submitForm } from './submit.ts';

/** The outcomes of a submitted form. */
export const submissionEnds = [
  'stored',
  'repeated',
  'faulty',
  'changed',
  'used',
  'full',
  'paused',
  'absent',
  'tooFast',
  'trap',
  'expired',
  'foreign',
  'unavailable',
] as const;
export type SubmissionEnd = (typeof submissionEnds)[number];

/** 50 fields, as many that the form had before, the token, and other inputs of the page. */
const pairsMax = 200;

export interface SubmittingOptions {
  pool: Pool;
  outbox: Outbox;
  tokens: Tokens;
  isIdShaped(id: string): boolean;
  /** The form as it is served, from memory if the database is away. @throws errors of PostgreSQL */
  find(id: string): Promise<Form | undefined>;
  servedDomains: ServedDomains;
  qrHost: string;
  baseUrl: string;
  onEnded(how: SubmissionEnd): void;
}

type Request = PublicRequest<undefined, ReturnType<typeof formPairs.parse>>;

interface Sent {
  formId: string;
  /** The page's public URL. */
  url: string;
  request: Request;
  now: Date;
}

const senderOf = (request: Request, referrer: string): Sender => ({
  ip: request.clientAddress(),
  userAgent: cutUserAgent(request.header('user-agent')),
  referrer,
});

/** The input to show again, without checking its values. */
const typedIn = ({ content: { fields } }: Form, { body }: Request) => ({
  values: checkValues(fields, body).values,
  faults: new Map(),
  gone: goneAnswers(fields, body),
});

const foreign = () =>
  new ClientError('FORBIDDEN', 'A form must be sent from its own page, or by a program without Origin');

/** A new token. The page was shown long enough ago, so pressing the button again is not delayed. */
const askedAgain = (
  tokens: Tokens,
  { kind, form }: Submitted & { kind: 'changed' | 'used' },
  shown: ShownForm,
) => ({
  notice: kind,
  token: tokens.create(form.id, shown),
  ...(kind === 'used' && { retryAfterMs: 0 }),
});

/** @throws {ClientError} NOT_FOUND on a domain of another workspace */
const requireOwnDomain = async (
  { find, servedDomains }: SubmittingOptions,
  id: string,
  request: Request,
): Promise<void> => {
  if (request.domain() === '') return;
  const form = await find(id);
  if (form) await requireOnOwnDomain(servedDomains, form, request);
};

export const createSubmitOperation = (options: SubmittingOptions): Operation => {
  const { pool, outbox, tokens, isIdShaped, find, qrHost, onEnded } = options;
  const origins = [qrHost, options.baseUrl].map((url) => new URL(url).origin);

  const requireOurPage = ({ header }: Request): void => {
    const from = { origin: header('origin'), fetchSite: header('sec-fetch-site'), host: header('host') };
    if (isFromOurPage(from, origins)) return;
    onEnded('foreign');
    throw foreign();
  };

  /** Rejects a submission without storing anything. */
  const turnAway = async (
    { formId, url, request }: Sent,
    guarded: Guarded & { pass: false },
  ): Promise<Reply> => {
    onEnded(guarded.notice);
    const form = await find(formId);
    if (!form) throw unknownPage('form');
    if (form.status === 'paused') return pausedReply(form, languageOfForm(form), request);
    const { pass: _, ...why } = guarded;
    return returnedReply(form, url, { ...why, ...typedIn(form, request) }, request);
  };

  const answer = async (
    submitted: Submitted,
    { url, request }: Sent,
    { shown, token }: Guarded & { pass: true },
  ): Promise<Reply> => {
    onEnded(submitted.kind);
    switch (submitted.kind) {
      case 'absent':
        throw unknownPage('form');
      case 'paused':
        return pausedReply(submitted.form, languageOfForm(submitted.form), request);
      case 'faulty':
        return returnedReply(submitted.form, url, { ...submitted.checked, token }, request);
      case 'full':
        return returnedReply(submitted.form, url, { ...submitted.checked, notice: 'closed', token }, request);
      case 'changed':
      case 'used':
        return returnedReply(
          submitted.form,
          url,
          {
            ...typedIn(submitted.form, request),
            ...submitted.checked,
            ...askedAgain(tokens, submitted, shown),
          },
          request,
        );
      default:
        return sentReply(submitted.form, request);
    }
  };

  /** Keeps the input while the database is away, with the token that identifies an earlier successful try. */
  const keep = async ({ formId, url, request }: Sent, token: string): Promise<Reply> => {
    onEnded('unavailable');
    const form = await find(formId).catch((error: unknown) => {
      if (isDatabaseUnavailable(error)) return undefined;
      throw error;
    });
    if (!form) return keptReply(url, request.body, request);
    return returnedReply(form, url, { notice: 'unavailable', token, ...typedIn(form, request) }, request);
  };

  const receive = async (sent: Sent): Promise<Reply> => {
    const { formId, request, now } = sent;
    const guarded = guard(tokens, formId, request.body, now);
    try {
      if (!guarded.pass) return await turnAway(sent, guarded);
      const { nonce, referrer } = guarded.shown;
      const sender = senderOf(request, referrer);
      const submitted = await submitForm(pool, outbox, { formId, nonce, sent: request.body, sender });
      return await answer(submitted, sent, guarded);
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      return keep(sent, guarded.token);
    }
  };

  return publicOperation({
    access: 'public',
    method: 'post',
    path: '/f/:id',
    ipLimit: 'formSubmission',
    body: formPairs,
    form: { bytesMax: bodyBytesMax, bytesMaxOf: bytesMaxOfForm(options), pairsMax, requestBytes: stepBytes },
    errorPage,
    docs: submitFormDocs,
    async handle(request) {
      const { id = '' } = request.params;
      if (!isIdShaped(id)) throw unknownPage('form');
      requireOurPage(request);
      await requireOwnDomain(options, id, request);
      return receive({ formId: id, url: `${qrHost}/f/${id}`, request, now: new Date() });
    },
  });
};
