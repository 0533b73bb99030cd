import type { Readable } from 'node:stream';
import type { FileBody } from './file-body.ts';

/** Synchronous work of a few milliseconds at most that writes a part of an answer. */
export type Piece = () => string;

/** The reply of an operation. */
export interface Reply {
  /** Default 200. */
  status?: number;
  headers?: Record<string, string>;
  /**
   * An object is sent as JSON, a Buffer as it is. A stream of bytes is sent as the client reads it (http/streams.ts): its
   * headers say its type, and its length where it is known. It does nothing before it is read, and releases what it holds when
   * it is destroyed, which may happen at any time. The answer of a creation is never a stream: it has to be repeatable.
   */
  body?: object | Buffer | Readable;
  /**
   * In place of a body: text that is written while it is sent. Each piece is done in a turn that workspaces share
   * (http/stream-turns.ts) before the next one is asked for. Otherwise it is as a body that is a stream.
   */
  pieces?: AsyncGenerator<Piece>;
  /** In place of a body: buffers that are sent one after the other, and that may belong to many answers (http/parts.ts). */
  parts?: readonly Buffer[];
  /** In place of a body: a file, of which the client may ask for a part (http/files.ts). */
  file?: FileBody;
  /** Told once, and waited for by nobody, whether the client has got the answer (http/delivery.ts). Not for a stream. */
  onEnd?(end: 'delivered' | 'broken'): void;
}
