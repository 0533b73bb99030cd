/**
 * Every environment variable, read and checked in one place, at start. Each has its default and its meaning here;
 * a wrong one stops the start with a line that names it.
 */
import { isIP } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { appLinksAllow } from './app-links-allow.ts';
import { localUrl } from './local-url.ts';

const portNumber = z.coerce
  .number('must be a port number, 1 to 65535')
  .int('must be a port number, 1 to 65535')
  .min(1, 'must be a port number, 1 to 65535')
  .max(65535, 'must be a port number, 1 to 65535');

const port = (fallback: number) => portNumber.default(fallback);

const wholeNumber = (fallback: number, min: number, max: number) => {
  const message = `must be a whole number from ${min} to ${max}`;
  return z.coerce.number(message).int(message).min(min, message).max(max, message).default(fallback);
};

const origin = (fallback: string) =>
  z
    .url({ protocol: /^https?$/, error: 'must be an origin such as https://qr.example.com' })
    .refine((value) => /^\/?$/.test(new URL(value).pathname + new URL(value).search), {
      error: 'must be an origin without a path, such as https://qr.example.com',
    })
    .transform((value) => new URL(value).origin)
    .default(fallback);

const url = (protocol: RegExp, example: string) =>
  z.url({ protocol, error: `must be a URL such as ${example}` }).optional();

/** Listeners want IPv6 without the brackets that it has in URLs. */
const listenAddress = (fallback: string) =>
  z
    .string()
    .transform((text) => text.replace(/^\[(.*)\]$/, '$1'))
    .refine((text) => isIP(text) !== 0 || /^[A-Za-z0-9.-]{1,253}$/.test(text), {
      error: 'must be an IP address or the name of this host, such as 0.0.0.0, :: or 127.0.0.1',
    })
    .default(fallback);

const isCidrOrAddress = (text: string): boolean => ipaddr.isValidCIDR(text) || ipaddr.isValid(text);

/** When scans are forced to the disk; see SPOOL_SYNC. */
export const spoolSyncModes = ['none', 'interval', 'always'] as const;

const environment = z.object({
  /** All state of the embedded parts, the spool, stored images, the generated secret. */
  DATA_DIR: z.string().min(1, 'must be a folder').default('.data'),
  /**
   * A folder on a memory disk, for what a restart needs and no disk may keep: the day's salt of visitors' hashes. Default: /dev/shm
   * where it is one; without any, the salt is in the memory of processes alone.
   */
  RUNTIME_DIR: z.string().min(1, 'must be a folder').optional(),
  /** Public listener of the API. */
  CONTROL_PLANE_PORT: port(3000),
  /** Metrics, health and lookups for the redirector; bound to INTERNAL_HOST. */
  CONTROL_PLANE_INTERNAL_PORT: port(3001),
  /** Public listener of redirects and hosted pages. */
  REDIRECTOR_PORT: port(8080),
  /** Metrics and health; bound to INTERNAL_HOST. */
  REDIRECTOR_INTERNAL_PORT: port(8081),
  /**
   * Where the redirector is to speak HTTP/1.0 as well, for nginx's default `proxy_pass`, `ab` and old monitoring; bound to HOST.
   * Unset: nowhere. REDIRECTOR_PORT speaks HTTP/1.1, and refuses 1.0 with 505.
   */
  REDIRECTOR_HTTP10_PORT: portNumber.optional(),
  /** The address that the public listeners bind to: IPv4 or IPv6; `::` listens on both. */
  HOST: listenAddress('0.0.0.0'),
  /** The address that the internal listeners bind to. */
  INTERNAL_HOST: listenAddress('127.0.0.1'),
  /** The API as the world sees it. */
  BASE_URL: origin('http://localhost:3000'),
  /** Redirects and hosted pages as the world sees them; printed into every code. */
  QR_HOST: origin('http://localhost:8080'),
  /** Where redirectors reach the control plane's two listeners; default: this machine, at HOST and INTERNAL_HOST. */
  CONTROL_PLANE_URL: url(/^https?$/, 'http://control-plane:3000'),
  CONTROL_PLANE_INTERNAL_URL: url(/^https?$/, 'http://control-plane:3001'),
  /** Unset: embedded. */
  DATABASE_URL: url(/^postgres(ql)?$/, 'postgres://user:password@host:5432/waymark'),
  REDIS_URL: url(/^rediss?$/, 'redis://host:6379'),
  CLICKHOUSE_URL: url(/^https?$/, 'http://user:password@host:8123/waymark'),
  /** Root of every HMAC key. Generated into DATA_DIR while anything is embedded, else required. */
  SECRET_KEY: z.string().min(32, 'must have at least 32 characters').optional(),
  /** If set, this key exists and opens workspace `default` on the Enterprise plan. */
  BOOTSTRAP_API_KEY: z.string().min(16, 'must have at least 16 characters').optional(),
  /** CIDRs, separated by commas, whose X-Forwarded-For and COUNTRY_HEADER are believed. */
  TRUSTED_PROXIES: z
    .string()
    .default('')
    .transform((text) =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter(Boolean),
    )
    .refine((parts) => parts.every(isCidrOrAddress), {
      error: 'must be CIDRs separated by commas, such as 10.0.0.0/8,::1/128',
    }),
  /** Name of a header in which a trusted proxy gives the scanner's country (ISO 3166-1 alpha-2). */
  COUNTRY_HEADER: z
    .string()
    .regex(/^[A-Za-z0-9-]+$/, 'must be a header name such as CF-IPCountry')
    .transform((name) => name.toLowerCase())
    .optional(),
  /** A country database in MaxMind's format; default: DB-IP's, which comes with the packages. */
  COUNTRY_DATABASE: z.string().optional(),
  /**
   * Seconds between SIGTERM and the closing of the public listener, in which /health/ready is 503 and answers say
   * `Connection: close`. In production: longer than the load balancer takes to notice, such as 15; 0 stops at once.
   */
  SHUTDOWN_GRACE_S: wholeNumber(0, 0, 600),
  /** Redirector processes that share REDIRECTOR_PORT. */
  REDIRECTOR_WORKERS: wholeNumber(os.availableParallelism(), 1, 256),
  /** Codes a redirector process holds in memory. */
  REDIRECTOR_CODES_MAX: wholeNumber(1_000_000, 1_000, 100_000_000),
  /** A held code is checked against its source in the background once it is this old, in seconds … */
  RECORD_FRESH_S: wholeNumber(10, 1, 3600),
  /** … and before it is served once it is this old, unless no source can be reached. */
  RECORD_STALE_MAX_S: wholeNumber(60, 1, 86_400),
  /** Bytes of scans a redirector process keeps on disk while a sink does not take them. */
  SPOOL_BYTES_MAX: wholeNumber(2 ** 30, 2 ** 20, 2 ** 50),
  /**
   * When a scan that is answered is forced to the disk: `none` (never: it survives the end of the process, not a loss of power),
   * `interval` (within a second: a loss of power costs what was answered in that second), `always` (before the answer).
   */
  SPOOL_SYNC: z.enum(spoolSyncModes, 'must be none, interval or always').default('interval'),
  /** A write to the spool that takes longer, in ms, goes on in memory, so that redirects go on. */
  SPOOL_WRITE_TIMEOUT_MS: wholeNumber(300, 50, 60_000),
  /** For so long a redirector process collects scans before it sends them to ClickHouse, in ms. */
  SEGMENT_AGE_MS: wholeNumber(800, 50, 600_000),
  /**
   * INSERTs a second that all redirector processes together aim at: with more than 16 of them a segment gets older than
   * SEGMENT_AGE_MS. ClickHouse knows a retried batch for 500,000 INSERTs: 7 hours at 20 a second.
   */
  CLICKHOUSE_INSERTS_PER_SECOND: wholeNumber(20, 1, 1000),
  /**
   * Days for which single scans are kept; daily totals are kept for good. ClickHouse reckons the end in 32 bits of
   * seconds: past 2106 it would wrap round and delete every scan at once.
   */
  SCAN_RETENTION_DAYS: wholeNumber(400, 91, 25_000),
  /** `file:` or `s3://bucket`; default: under DATA_DIR. */
  STORAGE_URL: z
    .string()
    .regex(/^(file:|s3:\/\/)/, 'must begin with file: or s3://')
    .optional(),
  /** Whether brand kits may fetch logos from private addresses: for intranets. */
  LOGO_ALLOW_PRIVATE: z
    .enum(['true', 'false'], 'must be true or false')
    .default('false')
    .transform((text) => text === 'true'),
  /**
   * Apps that may open links of QR_HOST, which all workspaces share, separated by commas: iOS apps, Android apps with a
   * certificate, and workspaces whose codes may name any app. Default: none. See app-links-allow.ts.
   */
  APP_LINKS_ALLOW: appLinksAllow.prefault(''),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
});

/** Every variable that this service reads. */
export const variableNames = Object.keys(environment.shape);

/** A wrong or missing variable; the message names it and says what is accepted. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

const readEnvironment = (env: NodeJS.ProcessEnv) => {
  // An empty variable counts as unset: that is how compose files and shells clear one.
  const given = Object.fromEntries(
    variableNames.filter((name) => env[name]).map((name) => [name, env[name]]),
  );
  const parsed = environment.safeParse(given);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map(({ path: [name], message }) => `${String(name)} ${message}`);
  throw new ConfigError(lines.join('\n'));
};

/**
 * What the environment says, with defaults applied, dependencies' URLs still optional.
 * @throws {ConfigError} one line for each wrong variable
 */
export const loadSettings = (env: NodeJS.ProcessEnv = process.env) => {
  const e = readEnvironment(env);
  if (e.RECORD_STALE_MAX_S < e.RECORD_FRESH_S) {
    throw new ConfigError('RECORD_STALE_MAX_S must not be smaller than RECORD_FRESH_S');
  }
  const ports = [
    e.CONTROL_PLANE_PORT,
    e.CONTROL_PLANE_INTERNAL_PORT,
    e.REDIRECTOR_PORT,
    e.REDIRECTOR_INTERNAL_PORT,
    ...(e.REDIRECTOR_HTTP10_PORT === undefined ? [] : [e.REDIRECTOR_HTTP10_PORT]),
  ];
  if (new Set(ports).size < ports.length) {
    throw new ConfigError(
      'CONTROL_PLANE_PORT, CONTROL_PLANE_INTERNAL_PORT, REDIRECTOR_PORT, REDIRECTOR_INTERNAL_PORT and REDIRECTOR_HTTP10_PORT must differ',
    );
  }
  const dataDir = path.resolve(e.DATA_DIR);
  return {
    dataDir,
    runtimeDir: e.RUNTIME_DIR && path.resolve(e.RUNTIME_DIR),
    host: e.HOST,
    internalHost: e.INTERNAL_HOST,
    shutdownGraceMs: e.SHUTDOWN_GRACE_S * 1000,
    controlPlane: {
      port: e.CONTROL_PLANE_PORT,
      internalPort: e.CONTROL_PLANE_INTERNAL_PORT,
      url: e.CONTROL_PLANE_URL ?? localUrl(e.HOST, e.CONTROL_PLANE_PORT),
      internalUrl: e.CONTROL_PLANE_INTERNAL_URL ?? localUrl(e.INTERNAL_HOST, e.CONTROL_PLANE_INTERNAL_PORT),
    },
    redirector: {
      port: e.REDIRECTOR_PORT,
      internalPort: e.REDIRECTOR_INTERNAL_PORT,
      http10Port: e.REDIRECTOR_HTTP10_PORT,
      workers: e.REDIRECTOR_WORKERS,
      codesMax: e.REDIRECTOR_CODES_MAX,
      recordFreshMs: e.RECORD_FRESH_S * 1000,
      recordStaleMaxMs: e.RECORD_STALE_MAX_S * 1000,
      spoolBytesMax: e.SPOOL_BYTES_MAX,
      spoolSync: e.SPOOL_SYNC,
      spoolWriteTimeoutMs: e.SPOOL_WRITE_TIMEOUT_MS,
      segmentAgeMs: e.SEGMENT_AGE_MS,
      insertsPerSecond: e.CLICKHOUSE_INSERTS_PER_SECOND,
    },
    baseUrl: e.BASE_URL,
    qrHost: e.QR_HOST,
    databaseUrl: e.DATABASE_URL,
    redisUrl: e.REDIS_URL,
    clickhouseUrl: e.CLICKHOUSE_URL,
    secretKey: e.SECRET_KEY,
    bootstrapApiKey: e.BOOTSTRAP_API_KEY,
    trustedProxies: e.TRUSTED_PROXIES,
    countryHeader: e.COUNTRY_HEADER,
    logoAllowPrivate: e.LOGO_ALLOW_PRIVATE,
    countryDatabase: e.COUNTRY_DATABASE,
    scanRetentionDays: e.SCAN_RETENTION_DAYS,
    storageUrl: e.STORAGE_URL ?? `file:${path.join(dataDir, 'storage')}`,
    appLinksAllow: e.APP_LINKS_ALLOW,
    logLevel: e.LOG_LEVEL,
  };
};

export type Settings = ReturnType<typeof loadSettings>;

/** Settings of a running plane: nothing is left to be embedded. */
export type Config = Settings & Record<(typeof required)[number][0], string>;

const required = [
  ['databaseUrl', 'DATABASE_URL'],
  ['redisUrl', 'REDIS_URL'],
  ['clickhouseUrl', 'CLICKHOUSE_URL'],
  ['secretKey', 'SECRET_KEY'],
] as const;

/**
 * The configuration a plane runs with.
 * @throws {ConfigError} for a wrong variable, and for a dependency's URL or the secret that is missing
 */
export const loadConfig = (env: NodeJS.ProcessEnv = process.env): Config => {
  const settings = loadSettings(env);
  const missing = required.filter(([key]) => settings[key] === undefined).map(([, name]) => name);
  if (missing.length > 0) {
    throw new ConfigError(`${missing.join(', ')} must be set (npm start sets them for what it embeds)`);
  }
  return settings as Config;
};
