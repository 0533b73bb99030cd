/** The program of a thread. A ClientError is returned as data: between threads an Error loses its class and code. */
import { ClientError, type ErrorCode } from '#shared/errors.ts';
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
export const answerText = (task: TextTask): Promise<TextAnswer> =>
  orRefusal(async () => ({ ok: true, text: await setText(task) }));

/** Some labels of a sheet. */
export const answerPagePart = (task: PagePartTask): Promise<PagePartAnswer> =>
  orRefusal(async () => ({ ok: true, body: await pagePart(task) }));

export default async (task: RenderTask | SeriesTask): Promise<WorkerAnswer | SeriesAnswer> => {
  try {
    return await ('payloads' in task ? renderSeries(task) : answerOne(task));
  } catch (error) {
    // qr-code-styling throws strings.
    throw error instanceof Error ? error : new Error(String(error));
  }
};
