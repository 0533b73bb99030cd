/** The program of a thread. A ClientError is returned as data: between threads an Error loses its class and code. */
import { move, transferableSymbol, valueSymbol } from 'piscina';
import { ClientError } from '#shared/errors.ts';
import { begin, type Given } from './beginning.ts';
import { render } from './render.ts';
import type { Rendered, RenderTask } from './request.ts';
import { renderSeries, type Series, type SeriesRefusal, type SeriesTask } from './series.ts';
import type { PagePartTask } from './sheets/page.ts';
import { pagePart } from './sheets/page-content.ts';
import { type SetText, setText, type TextTask } from './sheets/set-text.ts';

interface Refusal extends Pick<ClientError, 'code' | 'message' | 'details' | 'faults' | 'fault'> {
  ok: false;
}
export type WorkerAnswer = ({ ok: true } & Rendered) | Refusal;
export type SeriesAnswer = Series | SeriesRefusal;
export type TextAnswer = { ok: true; text: SetText | undefined } | Refusal;
export type WorkAnswer = { ok: true; made: unknown } | Refusal;
export type PagePartAnswer = { ok: true; body: Uint8Array } | Refusal;

const orRefusal = async <Answer>(work: () => Promise<Answer>): Promise<Answer | Refusal> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ClientError) {
      const { code, message, details, faults, fault } = error;
      return { ok: false, code, message, details, faults, fault };
    }
    throw error;
  }
};

const answerOne = (task: RenderTask): Promise<WorkerAnswer> =>
  orRefusal(async () => ({ ok: true, ...(await render(task)) }));

/** A text that is the same on all labels of a sheet. */
export const answerText = (given: Given<TextTask>): Promise<TextAnswer> =>
  orRefusal(async () => ({ ok: true, text: await setText(begin(given)) }));

/** Some labels of a sheet. */
export const answerPagePart = (given: Given<PagePartTask>): Promise<PagePartAnswer> =>
  orRefusal(async () => ({ ok: true, body: await pagePart(begin(given)) }));

/** Work of a feature that would block the event loop. */
export interface WorkTask {
  /** The address of a module whose default export takes the input. */
  module: string;
  /** Must be transferable in a message to a thread, as must the answer. */
  input: unknown;
}

/** The result of a module's work. */
export interface Work {
  made: unknown;
  /** Transferred, not copied. Copying megabytes blocks the event loop of the reader. */
  transfer?: readonly ArrayBuffer[];
}

export const answerWork = async (given: Given<WorkTask>): Promise<unknown> => {
  const { module, input } = begin(given);
  let transfer: Work['transfer'] = [];
  const answer = await orRefusal(async (): Promise<WorkAnswer> => {
    const { default: work }: { default(input: unknown): Work | Promise<Work> } = await import(module);
    const done = await work(input);
    transfer = done.transfer ?? [];
    return { ok: true, made: done.made };
  });
  return move({ [transferableSymbol]: transfer, [valueSymbol]: answer });
};

export default async (given: Given<RenderTask | SeriesTask>): Promise<WorkerAnswer | SeriesAnswer> => {
  const task = begin(given);
  try {
    return await ('payloads' in task ? renderSeries(task) : answerOne(task));
  } catch (error) {
    // qr-code-styling throws strings.
    throw error instanceof Error ? error : new Error(String(error));
  }
};
