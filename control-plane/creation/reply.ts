/** The reply of an operation. */
export interface Reply {
  /** Default 200. */
  status?: number;
  headers?: Record<string, string>;
  /** An object is sent as JSON, a Buffer as it is. */
  body?: object | Buffer;
}
