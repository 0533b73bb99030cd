/** Where the API is, and with which key it is called. */
import type { Waymark } from '@waymark/client';

export interface Connection {
  /** The origin of the API. */
  baseUrl: string;
  apiKey: string;
}

export interface Settings {
  connection: Connection;
  waymark: Waymark;
  /** A line of the result. */
  print(line: string): void;
}

/** The environment lacks a setting, or an argument or a file is unusable: the message says what to do. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** @throws {UsageError} if a variable is missing or unusable */
export const connectionFrom = (environment: Readonly<Record<string, string | undefined>>): Connection => {
  const { WAYMARK_URL: baseUrl, WAYMARK_API_KEY: apiKey } = environment;
  if (!baseUrl || !URL.canParse(baseUrl))
    throw new UsageError('Set WAYMARK_URL to the address of the API, such as https://api.example.com');
  if (!apiKey) throw new UsageError('Set WAYMARK_API_KEY to a key of your workspace');
  return { baseUrl, apiKey };
};
