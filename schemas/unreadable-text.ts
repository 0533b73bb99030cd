/** A text that cannot be read as what it should be: damaged, of another kind, or of a later release. */
export class UnreadableTextError extends Error {
  override name = 'UnreadableTextError';
  /** The id that the text is about, if it is known. */
  readonly id: string | undefined;

  constructor(message: string, id?: string, options?: ErrorOptions) {
    super(message, options);
    this.id = id;
  }
}
