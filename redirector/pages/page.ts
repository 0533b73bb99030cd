/** A whole response, ready to be written. */
export interface Page {
  /** Such as `410 Gone`. */
  readonly status: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}
