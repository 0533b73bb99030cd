/** The program of a thread. A ClientError is returned as data: between threads an Error loses its class and code. */
import { ClientError, type ErrorCode } from '#shared/errors.ts';
import { begin, type Given } from './beginning.ts';
import { render } from './render.ts';
import type { Rendered, RenderTask } from './request.ts';
import { renderSeries, type Series, type SeriesRefusal, type SeriesTask } from './series.ts';
import type { PagePartTask } from './sheets/page.ts';
import { pagePart } from './sheets/page-content.ts';
import { type SetText, setText, type TextTask } from './sheets/set-text.ts';

type Refusal = { ok: false; code: ErrorCode; message: string };
export type WorkerAnswer = ({ ok: true } & Rendered) | Refusal;
export type SeriesAnswer = Series | SeriesRefusal;
export type TextAnswer = { ok: true; text: SetText | undefined } | Refusal;
export type PagePartAnswer = { ok: true; body: Uint8Array } | Refusal;

const orRefusal = async <Answer>(work: () => Promise<Answer>): Promise<Answer | Refusal> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ClientError) return { ok: false, code: error.code, message: error.message };
    throw error;
  }
};

const answerOne = (task: RenderTask): Promise<WorkerAnswer> =>
  orRefusal(async () => ({ ok: true, ...(await render(task)) }));

/** A text that all labels of a sheet have. */
export const answerText = (given: Given<TextTask>): Promise<TextAnswer> =>
  orRefusal(async () => ({ ok: true, text: await setText(begin(given)) }));

/** Some labels of a sheet. */
export const answerPagePart = (given: Given<PagePartTask>): Promise<PagePartAnswer> =>
  orRefusal(async () => ({ ok: true, body: await pagePart(begin(given)) }));

export default async (given: Given<RenderTask | SeriesTask>): Promise<WorkerAnswer | SeriesAnswer> => {
  const task = begin(given);
  try {
    return await ('payloads' in task ? renderSeries(task) : answerOne(task));
  } catch (error) {
    // qr-code-styling throws strings.
    throw error instanceof Error ? error : new Error(String(error));
  }
};
