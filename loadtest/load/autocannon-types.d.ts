/** The used part of autocannon, which has no types. */
declare module 'autocannon' {
  export interface Request {
    method: string;
    path: string;
    headers: Record<string, string>;
    body?: string;
  }
  export interface Client {
    setRequests(requests: Request[]): void;
  }
  export interface Options {
    url: string;
    connections: number;
    duration: number;
    setupClient?: (client: Client) => void;
    /** Called for each request. */
    requests?: { setupRequest(request: Request): Request }[];
  }
  export interface Result {
    errors: number;
    timeouts: number;
    /** Answers by the first digit of their status. */
    '3xx': number;
    non2xx: number;
    requests: { total: number };
  }
  export interface Run extends Promise<Result> {
    stop(): void;
    /** Milliseconds from the request to the end of its answer. */
    on(
      event: 'response',
      reported: (client: Client, status: number, bytes: number, ms: number) => void,
    ): void;
  }
  const autocannon: (options: Options) => Run;
  export default autocannon;
}
