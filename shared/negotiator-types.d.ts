/** What is used of negotiator 1.1, which has no types of its own. */
declare module 'negotiator' {
  export default class Negotiator {
    constructor(request: { headers: Readonly<Record<string, string>> });
    /** @returns the accepted ones, the best first; among equal ones, in the order of `preferred` */
    encodings(available: readonly string[], options: { preferred: readonly string[] }): string[];
  }
}
