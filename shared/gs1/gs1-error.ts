/** Faults in the words of GS1's own checker (GS1 Barcode Syntax Engine). */

/** The kind of a fault. */
export type Gs1Fault =
  | 'too-much-data'
  | 'malformed-brackets'
  | 'no-fnc1'
  | 'no-data'
  | 'unknown-ai'
  | 'empty-value'
  | 'too-short'
  | 'too-long'
  | 'wrong-length'
  | 'content'
  | 'association-required'
  | 'association-excluded'
  | 'serial-component-required'
  | 'repeated-differs'
  | 'uri-charset'
  | 'malformed-percent'
  | 'not-http'
  | 'no-path'
  | 'domain-charset'
  | 'no-key-in-path'
  | 'qualifier-sequence'
  | 'unknown-ai-in-query'
  | 'not-an-attribute'
  | 'should-be-in-path'
  | 'dot-segment'
  | 'duplicated'
  | 'no-key'
  | 'not-decodable';

/** A value, not an exception: wrong data is common, and a stack trace costs more than the whole check. */
export class Gs1Error {
  readonly fault: Gs1Fault;
  /** The application identifier; null if the fault is in none. */
  readonly ai: string | null;
  /** The position of the fault: an index into the identifier's value, or into the whole text if `ai` is null. */
  readonly position: number;
  /** The expected content at that position. */
  readonly expected: string;
  /** A sentence that names the identifier. */
  readonly message: string;

  constructor(fault: Gs1Fault, at: { ai?: string; position?: number; expected: string }, message: string) {
    this.fault = fault;
    this.ai = at.ai ?? null;
    this.position = at.position ?? 0;
    this.expected = at.expected;
    this.message = message;
  }

  /** The whole fault in one sentence for a client: characters are counted from 1. */
  toString(): string {
    return `${this.message.replace(/\.$/, '')}, at character ${this.position + 1}: expected ${this.expected}`;
  }
}

/** An application identifier with its value. */
export interface Gs1Element {
  ai: string;
  value: string;
}
