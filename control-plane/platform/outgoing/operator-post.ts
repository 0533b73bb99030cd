/**
 * Posts to an address that the operator names, which may be private: nothing is refused for where it leads. What answers is
 * still not trusted: its bytes and its time are bounded, and no redirect is followed, which could lead a key elsewhere.
 */
import { Agent, request } from 'undici';

export type PostFailureKind = 'late' | 'too large' | 'unreachable';

export class PostFailure extends Error {
  override readonly name = 'PostFailure';
  readonly kind: PostFailureKind;

  constructor(kind: PostFailureKind, cause?: unknown) {
    super(`the answer is ${kind}`, { cause });
    this.kind = kind;
  }
}

export interface PostOptions {
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Of the answer. */
  bytesMax: number;
  /** Ends the exchange when it is aborted. */
  signal: AbortSignal;
}

export interface PostAnswer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
}

export interface OperatorPost {
  /** @throws {PostFailure} */
  post(url: string, options: PostOptions): Promise<PostAnswer>;
  close(): Promise<void>;
}

const readBytes = async (body: AsyncIterable<Buffer>, bytesMax: number): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new PostFailure('too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

export const createOperatorPost = (): OperatorPost => {
  // The signal of an exchange is its only limit of time.
  const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0, maxHeaderSize: 16_384 });
  const exchange = async (url: string, options: PostOptions): Promise<PostAnswer> => {
    const { headers, body: text, bytesMax, signal } = options;
    const {
      statusCode,
      headers: answered,
      body,
    } = await request(url, {
      ...{ method: 'POST', dispatcher: agent, signal, body: text },
      headers: { ...headers, 'accept-encoding': 'identity', 'user-agent': 'Waymark' },
    });
    try {
      return { status: statusCode, headers: answered, body: await readBytes(body, bytesMax) };
    } finally {
      // The rest of the body is of no use, and neither its end nor its interruption matters.
      body.on('error', () => {}).destroy();
    }
  };
  return {
    async post(url, options) {
      try {
        return await exchange(url, options);
      } catch (error) {
        if (error instanceof PostFailure) throw error;
        throw new PostFailure(options.signal.aborted ? 'late' : 'unreachable', error);
      }
    },
    close: () => agent.destroy(),
  };
};
