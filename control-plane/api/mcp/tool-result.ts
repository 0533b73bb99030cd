/** From the answer of an operation to the result of its tool: texts and pictures, bounded, since a model reads all of it. */
import type { RefusalBody } from '../http/context.ts';

/** An answer is not shown if it is larger. */
export const answerBytesMax = 2 ** 20;
/** Of the text of a result: some 12,000 tokens. */
const textBytesMax = 48 * 2 ** 10;

export interface Answer {
  status: number;
  headers: Readonly<Record<string, unknown>>;
  /** Undefined if it is larger than {@link answerBytesMax}. */
  body: Buffer | undefined;
}

type Content = { type: 'text'; text: string } | { type: 'image'; data: string; mimeType: string };

export interface ToolResult {
  [key: string]: unknown;
  content: Content[];
  isError?: true;
}

/** A result, or how many entries of a list to ask for so that they fit. */
export type Read = { result: ToolResult } | { fits: number };

export const failure = (text: string): ToolResult => ({ content: [{ type: 'text', text }], isError: true });

const textResult = (text: string): ToolResult => ({ content: [{ type: 'text', text }] });

interface Refusal extends RefusalBody {
  errors?: readonly { message: string }[];
  docUrl?: string;
  requestId?: string;
}

/** @param text the words of the refusal, the rest in lines of their own */
export const refusalText = (
  { error, code, param, errors = [], docUrl, requestId }: Refusal,
  retryAfter?: unknown,
): string =>
  [
    error,
    ...errors.slice(1).map(({ message }) => message),
    `code: ${code}`,
    ...(param === undefined ? [] : [`param: ${param}`]),
    ...(retryAfter === undefined ? [] : [`retry after: ${retryAfter} seconds`]),
    ...(docUrl === undefined ? [] : [`docUrl: ${docUrl}`]),
    ...(requestId === undefined ? [] : [`requestId: ${requestId}`]),
  ].join('\n');

const dataUri = /^data:(image\/[\w.+-]+);base64,/;

/** A picture in a field of its own is shown as one. */
const pictureIn = (value: Record<string, unknown>): ToolResult | undefined => {
  const { image, ...rest } = value;
  const [head, mimeType] = (typeof image === 'string' && dataUri.exec(image)) || [];
  if (head === undefined || mimeType === undefined) return undefined;
  const data = (image as string).slice(head.length);
  return {
    content: [
      { type: 'image', data, mimeType },
      { type: 'text', text: JSON.stringify(rest) },
    ],
  };
};

/** The entries of an answer that is a list: its only array. */
const listIn = (value: Record<string, unknown>): [name: string, entries: unknown[]] | undefined => {
  const lists = Object.entries(value).filter((entry): entry is [string, unknown[]] =>
    Array.isArray(entry[1]),
  );
  return lists.length === 1 ? lists[0] : undefined;
};

const fittingOf = (entries: readonly unknown[], bytesMax: number): number => {
  let bytes = 0;
  const at = entries.findIndex((entry) => {
    bytes += Buffer.byteLength(JSON.stringify(entry)) + 1;
    return bytes > bytesMax;
  });
  return at === -1 ? entries.length : at;
};

/** Room for what an answer has besides its list. */
const restBytesMax = 4 * 2 ** 10;

const cutText = (text: string): ToolResult =>
  textResult(
    `${text.slice(0, textBytesMax / 2)}\n[cut off: the answer has ${text.length} characters; the API has all of it]`,
  );

/** @param isPaged whether its operation takes `limit` */
const tooLong = (value: Record<string, unknown>, text: string, isPaged: boolean): Read => {
  const list = listIn(value);
  if (!list) return { result: cutText(text) };
  const [name, entries] = list;
  const fits = fittingOf(entries, textBytesMax - restBytesMax);
  if (fits === 0) return { result: cutText(text) };
  if (isPaged) return { fits };
  const shown = { ...value, [name]: entries.slice(0, fits) };
  const note = `[cut off: ${fits} of ${entries.length} entries are shown; get others by their ids]`;
  return { result: textResult(`${JSON.stringify(shown)}\n${note}`) };
};

const readJson = (body: Buffer, isPaged: boolean): Read => {
  const text = body.toString();
  const value = JSON.parse(text) as Record<string, unknown>;
  const picture = pictureIn(value);
  if (picture) return { result: picture };
  return Buffer.byteLength(text) <= textBytesMax
    ? { result: textResult(text) }
    : tooLong(value, text, isPaged);
};

/**
 * @param isPaged whether the operation takes `limit`: too long a page is then asked for again, so that its cursor leads
 *   to the entry behind the last one that is shown
 */
export const readAnswer = ({ status, headers, body }: Answer, isPaged: boolean): Read => {
  const type = String(headers['content-type'] ?? '').split(';')[0]!;
  if (!body)
    return {
      result: failure(
        `The answer has more than ${answerBytesMax} bytes, which is the most that is shown: ask for a smaller size or limit`,
      ),
    };
  if (status >= 400)
    return {
      result: failure(refusalText(JSON.parse(body.toString()) as Refusal, headers['retry-after'])),
    };
  if (body.length === 0) return { result: textResult('Done.') };
  if (type === 'application/json') return readJson(body, isPaged);
  if (type === 'image/svg+xml') return { result: textResult(body.toString()) };
  return { result: { content: [{ type: 'image', data: body.toString('base64'), mimeType: type }] } };
};
