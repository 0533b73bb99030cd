/** The messages to a receiver's process, and the requests that it has seen. */

/** The reaction to a request once its body is there. */
export type Reaction =
  | { readonly kind: 'answer'; readonly status: number; readonly afterMs?: number }
  /** No answer at all, until the client gives up. */
  | { readonly kind: 'hang' }
  /** The connection is reset. */
  | { readonly kind: 'reset' };

/** Reactions by their weight: one of them is drawn for each request. */
export type Behaviour = readonly { readonly weight: number; readonly reaction: Reaction }[];

/** One request. Times are epoch milliseconds. */
export interface Seen {
  /** The header webhook-id. */
  id: string;
  /** The path that it was sent to, without its slash. */
  endpoint: string;
  atMs: number;
  /** Of its end; null while it goes on. */
  doneMs: number | null;
  /** The status that was answered. `gone`: the client ended the connection before that. */
  outcome: number | 'reset' | 'gone' | 'open';
  /** SHA-256 of the body. */
  digest: string;
  eventId: string;
  type: string;
  /** The code that the event is about; empty if it is about no code. */
  codeId: string;
  /** createdAt of the envelope. */
  createdAtMs: number;
  /** The fault of a request: no signature that the verifiers accept, or no envelope; null for a good one. */
  fault: string | null;
}

export type Request =
  | { readonly kind: 'behave'; readonly behaviour: Behaviour }
  /** Requests to this path are signed with this secret. */
  | { readonly kind: 'expect'; readonly endpoint: string; readonly secret: string }
  /** It no longer listens, and resets every connection. */
  | { readonly kind: 'down' }
  /** Listens again, on the same port. */
  | { readonly kind: 'up' }
  /** How many requests there were to the endpoint since the last `take`. */
  | { readonly kind: 'count'; readonly endpoint: string }
  /** The requests since the last `take`, at every endpoint. */
  | { readonly kind: 'take' };

export interface Answers {
  behave: null;
  expect: null;
  down: null;
  up: null;
  /** `open`: requests that have no end yet. */
  count: { seen: number; open: number };
  take: Seen[];
}

export type Numbered = { readonly number: number; readonly request: Request };
export type Answered = { readonly number: number; readonly answer: Answers[Request['kind']] };
