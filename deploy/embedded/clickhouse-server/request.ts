/** Reads a request of ClickHouse's HTTP interface (https://clickhouse.com/docs/interfaces/http). */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { clickHouseError } from './errors.ts';

export interface HttpQuery {
  id: string;
  user: string;
  password: string;
  database: string;
  /** From the address; the body is the statement, or its continuation, or the rows of an INSERT. */
  query: string;
  /** Settings, and `param_…` for each query parameter. */
  settings: Map<string, string>;
  /** Names of the query parameters. */
  parameters: Set<string>;
  defaultFormat: string;
  /** The encoding of the body, by the engine's own names. */
  encoding: 'none' | 'gzip' | 'zstd';
  /** Whether the client takes a compressed reply. */
  gzip: boolean;
}

/** Words of the HTTP interface; every other argument is a setting of the engine. */
const interfaceArguments = new Set([
  'query',
  'database',
  'user',
  'password',
  'query_id',
  'session_id',
  'session_timeout',
  'session_check',
  'default_format',
  'role',
  'quota_key',
  'wait_end_of_query',
  'buffer_size',
  'compress',
  'decompress',
  'enable_http_compression',
  'send_progress_in_http_headers',
  'http_headers_progress_interval_ms',
  'client_protocol_version',
]);

const credentials = ({ headers }: IncomingMessage, search: URLSearchParams): [string, string] => {
  if (headers.authorization?.startsWith('Basic ')) {
    const [user = '', password = ''] = Buffer.from(headers.authorization.slice(6), 'base64')
      .toString()
      .split(/:(.*)/s);
    return [user, password];
  }
  return [
    String(headers['x-clickhouse-user'] ?? search.get('user') ?? 'default'),
    String(headers['x-clickhouse-key'] ?? search.get('password') ?? ''),
  ];
};

const bodyEncoding = ({ headers }: IncomingMessage): HttpQuery['encoding'] => {
  const encoding = (headers['content-encoding'] ?? 'identity').toLowerCase();
  if (encoding === 'identity') return 'none';
  if (encoding === 'gzip' || encoding === 'zstd') return encoding;
  throw clickHouseError(36, 'BAD_ARGUMENTS', `Unknown compression method: ${encoding}`);
};

/** @throws {Error} UNKNOWN_SETTING, BAD_ARGUMENTS */
export const readQuery = (request: IncomingMessage): HttpQuery => {
  const search = new URL(request.url ?? '/', 'http://localhost').searchParams;
  const settings = new Map([...search].filter(([name]) => !interfaceArguments.has(name)));
  for (const name of settings.keys()) {
    // It becomes part of a statement.
    if (!/^\w+$/.test(name)) throw clickHouseError(115, 'UNKNOWN_SETTING', `Unknown setting '${name}'`);
  }
  const parameters = [...settings.keys()].filter((name) => name.startsWith('param_'));
  const [user, password] = credentials(request, search);
  return {
    id: (search.get('query_id') || randomUUID()).replace(/[^\w-]/g, '_'),
    user,
    password,
    database: String(request.headers['x-clickhouse-database'] ?? search.get('database') ?? 'default'),
    query: search.get('query') ?? '',
    settings,
    parameters: new Set(parameters.map((name) => name.slice('param_'.length))),
    defaultFormat: search.get('default_format') ?? 'TabSeparated',
    encoding: bodyEncoding(request),
    gzip:
      search.get('enable_http_compression') === '1' &&
      /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? '')),
  };
};
