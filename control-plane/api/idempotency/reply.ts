import type { Readable } from 'node:stream';
import type { FileBody } from './file-body.ts';

/** Synchronous work of at most a few milliseconds that writes a part of a response. */
export type Piece = () => string;

/** The reply of an operation. */
export interface Reply {
  /** Default 200. */
  status?: number;
  headers?: Record<string, string>;
  /**
   * An object is sent as JSON, a Buffer unchanged. A stream of bytes is sent at the client's pace (http/streams.ts):
   * its headers give its type, and its length if known. It does nothing before it is read, and releases its resources
   * when it is destroyed, which may happen at any time. The answer of a create call is never a stream: it must be
   * repeatable.
   */
  body?: object | Buffer | Readable;
  /**
   * Instead of a body: text that is written while it is sent. Each piece is done in a time shared among workspaces
   * (http/stream-shares.ts) before the next one is requested. Otherwise like a body that is a stream.
   */
  pieces?: AsyncGenerator<Piece>;
  /** Instead of a body: buffers that are sent one after another, and may be shared by many answers (http/send.ts). */
  parts?: readonly Buffer[];
  /** Instead of a body: a file, whose ranges a client may request (http/files.ts). */
  file?: FileBody;
  /**
   * Called once, without being awaited, with whether the client received the response (http/delivery.ts). Not for a
   * stream.
   */
  onEnd?(end: 'delivered' | 'broken'): void;
}
