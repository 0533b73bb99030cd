/** One exchange with a server that speaks OpenAI's chat completions. Nothing of its answer is believed but its text. */
import { z } from 'zod';
import { ClientError } from '#shared/errors.ts';
import { type OperatorPost, type PostAnswer, PostFailure } from '../../../platform/outgoing/operator-post.ts';

export interface ModelSettings {
  /** Up to `/chat/completions`. */
  url: string;
  model: string;
  key: string | undefined;
}

export interface ChatMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

export interface Ask {
  messages: readonly ChatMessage[];
  /** What the answer has to be, for servers that can hold a model to it. */
  schema: { name: string; schema: object };
  signal: AbortSignal;
}

export interface Chat {
  /**
   * The text of the answer.
   * @throws {ClientError} UNAVAILABLE, GATEWAY_TIMEOUT or BAD_GATEWAY, with the fault of the server as its cause;
   * UNPROCESSABLE if the model refuses
   */
  ask(ask: Ask): Promise<string>;
}

/** A menu of a thousand items has 200 KB. */
const answerBytesMax = 2 ** 20;
const retryAfterMaxSeconds = 3_600;
const retryAfterDefaultSeconds = 30;

const answerShape = z.looseObject({
  choices: z
    .array(
      z.looseObject({
        finish_reason: z.string().nullish(),
        message: z.looseObject({ content: z.string().nullish(), refusal: z.string().nullish() }),
      }),
    )
    .min(1),
});

const unusable = (why: string, cause?: unknown): ClientError =>
  new ClientError('BAD_GATEWAY', `The answer of the model cannot be used: ${why}`, { cause });

const failureOf = ({ kind, cause }: PostFailure): ClientError => {
  if (kind === 'too large') return unusable('it is too large');
  return kind === 'late'
    ? new ClientError('GATEWAY_TIMEOUT', 'The model did not answer in time; send a shorter text', { cause })
    : new ClientError('UNAVAILABLE', 'The server of the model does not answer; try again later', {
        cause,
        retryAfterSeconds: retryAfterDefaultSeconds,
      });
};

const retryAfterOf = ({ headers }: PostAnswer): number => {
  const seconds = Number(headers['retry-after']);
  return Number.isInteger(seconds) && seconds > 0
    ? Math.min(seconds, retryAfterMaxSeconds)
    : retryAfterDefaultSeconds;
};

/** The fault of a server that answers something else than 200. */
const refusalOf = (answer: PostAnswer): ClientError => {
  const { status, body } = answer;
  const cause = new Error(`the server of the model answered ${status}: ${body.toString('utf8', 0, 500)}`);
  if (status === 429 || status >= 500)
    return new ClientError(
      'UNAVAILABLE',
      `The server of the model is ${status === 429 ? 'busy' : 'out of order'}; try again later`,
      { cause, retryAfterSeconds: retryAfterOf(answer) },
    );
  return new ClientError('BAD_GATEWAY', `The server of the model refuses the request (${status})`, { cause });
};

const textOf = ({ body }: PostAnswer): string => {
  const parsed = answerShape.safeParse(jsonOf(body));
  if (!parsed.success) throw unusable('it is none of chat completions', parsed.error);
  const { finish_reason: end, message } = parsed.data.choices[0]!;
  if (message.refusal || end === 'content_filter')
    throw new ClientError('UNPROCESSABLE', 'The model refuses this request; write it in other words');
  if (end === 'length') throw unusable('it breaks off; send a shorter text');
  if (!message.content) throw unusable('it is empty');
  return message.content;
};

const jsonOf = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString());
  } catch (cause) {
    throw unusable('it is not JSON', cause);
  }
};

/** Statuses by which servers say that they do not know `response_format`, or not this one. */
const mayMeanFormat = (status: number): boolean => [400, 404, 415, 422, 501].includes(status);

export const createChat = ({ url, model, key }: ModelSettings, { post }: OperatorPost): Chat => {
  /** Whether the server has answered without a format what it refused with one. */
  let knowsNoFormat = false;

  const send = async ({ messages, schema, signal }: Ask, withFormat: boolean): Promise<PostAnswer> => {
    const format = { type: 'json_schema', json_schema: { ...schema, strict: true } };
    const body = { model, messages, stream: false, ...(withFormat && { response_format: format }) };
    try {
      return await post(`${url.replace(/\/+$/, '')}/chat/completions`, {
        headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
        body: JSON.stringify(body),
        bytesMax: answerBytesMax,
        signal,
      });
    } catch (error) {
      throw error instanceof PostFailure ? failureOf(error) : error;
    }
  };

  return {
    async ask(ask) {
      const first = await send(ask, !knowsNoFormat);
      if (first.status === 200) return textOf(first);
      if (knowsNoFormat || !mayMeanFormat(first.status)) throw refusalOf(first);
      const second = await send(ask, false);
      if (second.status !== 200) throw refusalOf(first);
      knowsNoFormat = true;
      return textOf(second);
    },
  };
};
