/** POST /api/abuse-reports: what a visitor reports about a code; and the page with a form for it. */
import { type AbuseReportBody, abuseFormQuery, abuseReportBody } from '#schemas/api/abuse-reports.ts';
import { ClientError } from '#shared/errors.ts';
import { isCodeIdShaped } from '#shared/ids.ts';
import { acceptedLanguage } from '#shared/languages.ts';
import type { RenderedPage } from '#shared/pages/shell.ts';
import { type FormPairs, formPairs } from '../../api/http/form-body.ts';
import { type Operation, publicOperation, type Reply } from '../../api/http/operation.ts';
import { validateBody } from '../../api/http/validation.ts';
import type { Pool } from '../../platform/db/pool.ts';
import { errorPage } from '../hosted/serving/refusals.ts';
import { reportAbuseDocs, sendReportFormDocs, showReportFormDocs } from './docs.ts';
import { renderReported, renderReportForm } from './report-page.ts';
import { storeReport } from './store.ts';

/** The code that a scanned URL names, by its id or an alias. */
export type CodeOfUrl = (url: URL) => Promise<string | undefined>;

export interface ReportOptions {
  pool: Pool;
  codeOfUrl: CodeOfUrl;
  /** The origin of QR_HOST. */
  qrHost: string;
}

const formPath = '/api/abuse-reports/form';

const note = 'The operator of this service looks at it.';

/** @throws {ClientError} UNPROCESSABLE naming url */
const readUrl = (text: string): URL => {
  const url = /^https?:\/\//i.test(text) ? URL.parse(text) : null;
  if (!url) throw new ClientError('UNPROCESSABLE', 'url must be the URL in the code, with https://');
  return url;
};

/** Stores what is known of a code. Whether the code exists is not told: ids are not to be guessed here. */
const createReport =
  ({ pool, codeOfUrl }: ReportOptions) =>
  async ({ id, url, reason, details, contact }: AbuseReportBody): Promise<void> => {
    const codeId = id ?? (await codeOfUrl(readUrl(url!)));
    if (codeId !== undefined && isCodeIdShaped(codeId))
      await storeReport(pool, { codeId, reason, details: details || null, contact: contact || null });
  };

const pageReply = (status: number, { html, contentSecurityPolicy }: RenderedPage): Reply => ({
  status,
  headers: {
    vary: 'Accept-Language',
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': contentSecurityPolicy,
    'x-robots-tag': 'noindex',
  },
  body: Buffer.from(html),
});

const languageOf = (header: (name: string) => string) => acceptedLanguage(header('accept-language'));

const formFields = ['reason', 'details', 'contact'] as const;

/** What a person types is often an address without its scheme, or only the end of it. */
const urlOf = (typed: string, qrHost: string): string => {
  if (/^https?:\/\//i.test(typed)) return typed;
  return typed.includes('/') ? `https://${typed}` : `${qrHost}/r/${typed}`;
};

/** The body that the form of the page stands for: an empty field is absent. */
const bodyOfForm = (pairs: FormPairs, qrHost: string): unknown => {
  const fieldOf = (name: string) => pairs.get(name)?.[0]?.trim() || undefined;
  const code = fieldOf('code') ?? '';
  const named = isCodeIdShaped(code) ? { id: code } : { url: urlOf(code, qrHost) };
  return { ...named, ...Object.fromEntries(formFields.map((name) => [name, fieldOf(name)])) };
};

const createFormOperations = (report: ReturnType<typeof createReport>, qrHost: string): Operation[] => [
  publicOperation({
    method: 'get',
    path: formPath,
    access: 'public',
    query: abuseFormQuery,
    ipLimit: 'hostedPage',
    docs: showReportFormDocs,
    async handle({ query: { code }, header }) {
      return pageReply(200, renderReportForm(code ?? '', languageOf(header)));
    },
  }),
  publicOperation({
    method: 'post',
    path: formPath,
    access: 'public',
    ipLimit: 'abuseReport',
    form: { bytesMax: 32 * 1024, pairsMax: 20 },
    body: formPairs,
    errorPage,
    docs: sendReportFormDocs,
    async handle({ body, header }) {
      await report(validateBody(abuseReportBody, bodyOfForm(body, qrHost)));
      return pageReply(200, renderReported(languageOf(header)));
    },
  }),
];

export const createReportOperations = (options: ReportOptions): Operation[] => {
  const report = createReport(options);
  return [
    publicOperation({
      method: 'post',
      path: '/api/abuse-reports',
      access: 'public',
      ipLimit: 'abuseReport',
      body: abuseReportBody,
      docs: reportAbuseDocs,
      async handle({ body }) {
        await report(body);
        return { status: 202, body: { received: true, note } };
      },
    }),
    ...createFormOperations(report, options.qrHost),
  ];
};
