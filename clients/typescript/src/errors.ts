/** Refusals as errors. */

/** A refusal of the API, or an answer of another server, such as a proxy's page. */
export class WaymarkError extends Error {
  override readonly name = 'WaymarkError';
  readonly status: number;
  /** For programs, such as `NOT_FOUND`. New codes may be added. */
  readonly code: string | undefined;
  /** The path of the field that is at fault. */
  readonly param: string | undefined;
  /** The id of the request in the service's logs. */
  readonly requestId: string | undefined;
  /** The whole body. */
  readonly body: unknown;

  constructor(response: Response, body: unknown) {
    const { error, code, param } = (typeof body === 'object' && body !== null ? body : {}) as Record<
      string,
      unknown
    >;
    super(typeof error === 'string' ? error : `The service answered ${response.status}`);
    this.status = response.status;
    this.code = typeof code === 'string' ? code : undefined;
    this.param = typeof param === 'string' ? param : undefined;
    this.requestId = response.headers.get('request-id') ?? undefined;
    this.body = body;
  }
}

/** What a method of the client resolves to. */
type Answer<Data> = { data?: Data; error?: unknown; response: Response };

/**
 * The body of a successful answer: `const code = await ok(waymark.GET(…))`
 * @throws {WaymarkError} for any other answer
 */
export const ok = async <Data>(answer: Promise<Answer<Data>>): Promise<NonNullable<Data>> => {
  const { data, error, response } = await answer;
  if (!response.ok) throw new WaymarkError(response, error);
  return data as NonNullable<Data>;
};
