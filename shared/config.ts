/**
 * Every environment variable, with its default and meaning. All are read and checked here, once, at start; an invalid
 * one stops the start with a line that names it.
 */
import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { appLinksAllow } from './config/app-links-allow.ts';
import { contradictions } from './config/contradictions.ts';
import { shownValue } from './config/given.ts';
import { localUrl } from './config/local-url.ts';
import { misspeltVariables } from './config/misspelt.ts';
import { serialKeysVariable } from './config/serial-keys.ts';
import { type StorageSettings, storageUrl } from './config/storage-url.ts';
import { stripePrices, stripeWebhookSecrets } from './config/stripe.ts';
import {
  dnsServers,
  filePath,
  folderPath,
  listenAddress,
  networks,
  oneOf,
  origin,
  portNumber,
  textOf,
  trueOrFalse,
  trueUnlessFalse,
  url,
  wholeNumber,
} from './config/value-types.ts';

/** The values of SPOOL_SYNC. */
export const spoolSyncModes = ['none', 'interval', 'always'] as const;
/** The values of CLICKHOUSE_COMPRESSION. */
export const insertCompressions = ['zstd', 'none'] as const;

const environment = z.object({
  /** All state of the embedded parts, the spool, stored images, the generated secret. */
  DATA_DIR: z.string().min(1, 'must be a folder').default('.data'),
  /** Public listener of the API. */
  CONTROL_PLANE_PORT: portNumber.default(3000),
  /** Metrics, health and lookups for the redirector; bound to INTERNAL_HOST. */
  CONTROL_PLANE_INTERNAL_PORT: portNumber.default(3001),
  /** Public listener of redirects and hosted pages. */
  REDIRECTOR_PORT: portNumber.default(8080),
  /** Metrics and health; bound to INTERNAL_HOST. */
  REDIRECTOR_INTERNAL_PORT: portNumber.default(8081),
  /**
   * A listener for redirects that also speaks HTTP/1.0, for nginx's default `proxy_pass`, `ab` and old monitoring;
   * bound to HOST. Unset: none. REDIRECTOR_PORT speaks HTTP/1.1, and refuses 1.0 with 505.
   */
  REDIRECTOR_HTTP10_PORT: portNumber.optional(),
  /**
   * PEM files of a certificate with its chain and of its key, without a passphrase; both or neither. With them
   * REDIRECTOR_PORT speaks TLS 1.2 and 1.3, for the one name of QR_HOST. After a renewal, `kill -HUP` starts new
   * workers that read them.
   */
  TLS_CERT: filePath.optional(),
  TLS_KEY: filePath.optional(),
  /** The address that the public listeners bind to: IPv4 or IPv6; `::` listens on both. */
  HOST: listenAddress('0.0.0.0'),
  /** The address that the internal listeners bind to. */
  INTERNAL_HOST: listenAddress('127.0.0.1'),
  /** The public origin of the API. Default: http://localhost at CONTROL_PLANE_PORT. */
  BASE_URL: origin(),
  /**
   * The public origin of redirects and hosted pages; printed into every code. Default: http://localhost at
   * REDIRECTOR_PORT. All redirectors and control planes must use the same one.
   */
  QR_HOST: origin(),
  /** The control plane's two listeners, for redirectors. Default: this machine, at HOST and INTERNAL_HOST. */
  CONTROL_PLANE_URL: url(/^https?$/, 'http://control-plane:3000'),
  CONTROL_PLANE_INTERNAL_URL: url(/^https?$/, 'http://control-plane:3001'),
  /**
   * A redirector's public listener, to which the API passes `POST /api/verify/serial`. Default: this machine, at HOST
   * and REDIRECTOR_PORT; with TLS_CERT, QR_HOST.
   */
  REDIRECTOR_URL: url(/^https?$/, 'http://redirector:8080'),
  /** PostgreSQL, Redis and ClickHouse. If unset, `npm start` embeds them; a plane requires them. */
  DATABASE_URL: url(/^postgres(ql)?$/, 'postgres://user:password@host:5432/waymark'),
  /** The most connections to PostgreSQL that a control plane opens; redirectors open none. */
  DATABASE_CONNECTIONS_MAX: wholeNumber(20, 16, 1000),
  REDIS_URL: url(/^rediss?$/, 'redis://host:6379'),
  CLICKHOUSE_URL: url(/^https?$/, 'http://user:password@host:8123/waymark'),
  /**
   * The secret from which every HMAC key is derived. Generated into DATA_DIR if anything is embedded, otherwise
   * required.
   */
  SECRET_KEY: textOf(32).optional(),
  /**
   * The keys that sign serialized items, by generation: `1=<base64url of 32 bytes>,2=…`; the latest signs, and all
   * verify. Items of a removed generation can no longer be verified; a generation three or more above the latest is a
   * forgery. Default: one key, of generation 1, derived from SECRET_KEY; `admin serial-keys --add` prints the list with
   * one more.
   */
  SERIAL_KEYS: serialKeysVariable.optional(),
  /** An API key that exists from the start, for workspace `default` on the Enterprise plan. */
  BOOTSTRAP_API_KEY: textOf(16).optional(),
  /** CIDRs, separated by commas, of the proxies whose X-Forwarded-For and COUNTRY_HEADER are trusted. */
  TRUSTED_PROXIES: networks,
  /**
   * Whether TRUSTED_PROXIES name their clients to REDIRECTOR_PORT by the PROXY protocol, version 2. Connections from
   * other addresses are then refused, and each connection is closed after its answer. X-Forwarded-For is better, see
   * deploy/edge/README.md.
   */
  PROXY_PROTOCOL: trueOrFalse,
  /** The name of the header in which a trusted proxy sends the scanner's country (ISO 3166-1 alpha-2). */
  COUNTRY_HEADER: z
    .string()
    .regex(/^[A-Za-z0-9-]+$/, 'must be a header name such as CF-IPCountry')
    .transform((name) => name.toLowerCase())
    .optional(),
  /** A country database in MaxMind's format; default: DB-IP's, which is installed with the packages. */
  COUNTRY_DATABASE: z.string().optional(),
  /**
   * Seconds from SIGTERM until the public listener closes, during which /health/ready is 503 and answers have
   * `Connection: close`. In production: longer than the load balancer takes to notice, such as 15; 0 stops at once.
   */
  SHUTDOWN_GRACE_S: wholeNumber(0, 0, 600),
  /** Redirector processes that share REDIRECTOR_PORT. */
  REDIRECTOR_WORKERS: wholeNumber(os.availableParallelism(), 1, 256),
  /**
   * Codes a redirector process holds in memory. Codes with rules or long destinations share 512 MiB of it, or a quarter
   * of Node's heap limit if that is less; the least recently scanned of them are evicted.
   */
  REDIRECTOR_CODES_MAX: wholeNumber(1_000_000, 1_000, 100_000_000),
  /**
   * While the change stream is followed, a held code is fresh. While it is not, a scan revalidates a code in the
   * background if the stream was last followed, and the code last confirmed, this many seconds ago. At most
   * RECORD_STALE_MAX_S.
   */
  RECORD_FRESH_S: wholeNumber(10, 1, 3600),
  /**
   * While the control plane answers, a scan of a code held for this many seconds never gets data that PostgreSQL
   * replaced longer ago than that: the versions of all held codes are compared within this time. A newly loaded code is
   * as current as Redis. A code that could not be compared is revalidated before it is served, unless no source can be
   * reached. At least RECORD_FRESH_S.
   */
  RECORD_STALE_MAX_S: wholeNumber(60, 1, 86_400),
  /**
   * Bytes of scans that a redirector process keeps in its spool while the sink does not accept them; as many again for
   * verifications, and for scan reports for webhooks.
   */
  SPOOL_BYTES_MAX: wholeNumber(2 ** 30, 2 ** 20, 2 ** 50),
  /**
   * A folder on tmpfs for scans between their answer and the disk, 20 ms later: they outlive the process there. Default: a
   * folder of this user on /dev/shm. A container's own /dev/shm ends with the container: set it to a mounted memory volume.
   */
  RUNTIME_DIR: folderPath.optional(),
  /**
   * When an answered scan is forced to disk: `none` (never: it survives the end of the process, but not a power
   * failure), `interval` (within a second: a power failure loses that second's scans), `always` (before the answer).
   */
  SPOOL_SYNC: oneOf(spoolSyncModes).default('interval'),
  /** If a write to the spool takes longer than this, in ms, scans are kept in memory, so that redirects continue. */
  SPOOL_WRITE_TIMEOUT_MS: wholeNumber(300, 50, 60_000),
  /** How long a redirector process collects scans in a segment before it sends the segment to ClickHouse, in ms. */
  SEGMENT_AGE_MS: wholeNumber(800, 50, 600_000),
  /**
   * The target INSERTs a second of all redirector processes together: with more than 16 processes, segments become
   * older than SEGMENT_AGE_MS. ClickHouse recognises a retried batch for 500,000 INSERTs: 7 hours at 20 a second.
   */
  CLICKHOUSE_INSERTS_PER_SECOND: wholeNumber(20, 1, 1000),
  /**
   * Compression of scans sent to ClickHouse. `zstd` shrinks them to a fifth, for one or two hundredths of a redirect's
   * CPU. If it does not get through, scans are sent uncompressed for an hour at a time, with a warning. `none` is for
   * that case, and for a ClickHouse on the same machine.
   */
  CLICKHOUSE_COMPRESSION: oneOf(insertCompressions).default('zstd'),
  /**
   * Days for which single scans are kept; daily totals are kept for good. ClickHouse computes the expiry in 32-bit
   * seconds: an expiry after 2106 would wrap around, and every scan would be deleted at once.
   */
  SCAN_RETENTION_DAYS: wholeNumber(400, 91, 25_000),
  /**
   * Where pictures and zips are stored: `file:///` and a folder, or
   * `s3://<access key>:<secret key>@<host>/<bucket>/<folder>?region=<region>` (`&tls=false`: over plain http).
   * Default: a folder in DATA_DIR. Control planes on several machines need one place: a folder that all of them mount,
   * or a bucket.
   */
  STORAGE_URL: storageUrl.optional(),
  /** Where `admin backup` writes and `admin restore` reads: a folder or a bucket, written as in STORAGE_URL. */
  BACKUP_URL: storageUrl.optional(),
  /** Encrypts the keys in a backup (`admin backup --with-keys`), and decrypts them (`admin backup-keys`). */
  BACKUP_PASSPHRASE: textOf(12).optional(),
  /** Whether logos may be fetched from private addresses: for intranets. */
  LOGO_ALLOW_PRIVATE: trueOrFalse,
  /** Whether webhooks may lead to private addresses: for intranets, and for webhook development. */
  WEBHOOK_ALLOW_PRIVATE: trueOrFalse,
  /**
   * Resolvers for the TXT records of custom domains, separated by commas: addresses with or without a port, such as
   * `9.9.9.9,[2620:fe::fe]:53`. Default: the system's.
   */
  DNS_SERVERS: dnsServers,
  /**
   * The server whose model drafts looks, landing pages and menus: its address up to `/chat/completions`, as OpenAI,
   * Ollama, vLLM and others have it. It may be private. Unset: `/api/ai/…` is 503.
   */
  AI_URL: url(/^https?$/, 'https://api.openai.com/v1'),
  /** The key that is sent to AI_URL as the bearer. Default: none is sent. */
  AI_KEY: textOf(8).optional(),
  /** The name of the model, required with AI_URL. */
  AI_MODEL: textOf(1).optional(),
  /** Seconds that a draft may take, its correction included. */
  AI_TIMEOUT_S: wholeNumber(60, 1, 600),
  /**
   * Apps that may open links of QR_HOST, which all workspaces share, separated by commas: iOS apps, Android apps with a
   * certificate, and workspaces whose codes may name any app. Default: none. The syntax is in app-links-allow.ts.
   */
  APP_LINKS_ALLOW: appLinksAllow.prefault(''),
  /**
   * Whether the first `npm start` on a DATA_DIR creates three example pages in workspace `default`. This happens only
   * if it embeds PostgreSQL, Redis and ClickHouse.
   */
  EXAMPLES: trueUnlessFalse,
  /**
   * The signing secrets of the endpoint `{BASE_URL}/api/webhook/stripe`, as shown by Stripe, separated by commas:
   * during a rotation, both are valid. Unset: the endpoint is 404.
   */
  STRIPE_WEBHOOK_SECRET: stripeWebhookSecrets.optional(),
  /**
   * The plan of each price, separated by commas: `price_1AbC=growth,price_1DeF=business`. A lookup key or a product may
   * be named instead of a price. A subscription with none of them changes no plan, and is named in the log.
   */
  STRIPE_PRICES: stripePrices.prefault(''),
  /**
   * A web-risk service that speaks `hashes:search` of Safe Browsing v5, with its key:
   * `https://safebrowsing.googleapis.com/v5/hashes:search?key=…`. It gets the first four bytes of hashes of destinations. Unset:
   * the operator's own lists alone decide.
   */
  WEB_RISK_URL: url(/^https?$/, 'https://safebrowsing.googleapis.com/v5/hashes:search?key=…'),
  /** Whether the nightly screening suspends a code whose destination is blocked. Default: it only reports the code. */
  SCREENING_SUSPENDS: trueOrFalse,
  LOG_LEVEL: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
});

type Parsed = z.output<typeof environment>;

const atPort = (port: number): string => new URL(`http://localhost:${port}`).origin;

/** With the defaults that depend on other variables. */
const withOrigins = (e: Parsed) => ({
  ...e,
  BASE_URL: e.BASE_URL ?? atPort(e.CONTROL_PLANE_PORT),
  QR_HOST: e.QR_HOST ?? atPort(e.REDIRECTOR_PORT),
});

/** The variables' values, with defaults applied. */
export type Environment = ReturnType<typeof withOrigins>;

/** Every variable that this service reads. */
export const variableNames = Object.keys(environment.shape);

/** Warnings about ignored variables whose name is close to a setting's. */
export const settingWarnings = (env: NodeJS.ProcessEnv = process.env): string[] =>
  misspeltVariables(env, variableNames);

/** Wrong or missing variables: one line each, with the name, the fault, the given value and the accepted ones. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

const readEnvironment = (env: NodeJS.ProcessEnv): Environment => {
  // An empty variable counts as unset: compose files and shells clear variables that way.
  const given = Object.fromEntries(
    variableNames.filter((name) => env[name]).map((name) => [name, env[name]]),
  );
  const parsed = environment.transform(withOrigins).safeParse(given);
  const lines = parsed.success
    ? contradictions(parsed.data, (name) => name in given)
    : parsed.error.issues.map(({ path: [key], message }) => {
        const name = String(key);
        return `${name} ${message}; given: ${shownValue(name, given[name] ?? '')}`;
      });
  if (!parsed.success || lines.length > 0) throw new ConfigError(lines.join('\n'));
  return parsed.data;
};

const controlPlaneSettings = (e: Environment) => ({
  port: e.CONTROL_PLANE_PORT,
  internalPort: e.CONTROL_PLANE_INTERNAL_PORT,
  url: e.CONTROL_PLANE_URL ?? localUrl(e.HOST, e.CONTROL_PLANE_PORT),
  internalUrl: e.CONTROL_PLANE_INTERNAL_URL ?? localUrl(e.INTERNAL_HOST, e.CONTROL_PLANE_INTERNAL_PORT),
});

const redirectorSettings = (e: Environment) => ({
  url: e.REDIRECTOR_URL ?? (e.TLS_CERT ? e.QR_HOST : localUrl(e.HOST, e.REDIRECTOR_PORT)),
  port: e.REDIRECTOR_PORT,
  internalPort: e.REDIRECTOR_INTERNAL_PORT,
  http10Port: e.REDIRECTOR_HTTP10_PORT,
  tls: e.TLS_CERT && e.TLS_KEY ? { certFile: e.TLS_CERT, keyFile: e.TLS_KEY } : undefined,
  workers: e.REDIRECTOR_WORKERS,
  codesMax: e.REDIRECTOR_CODES_MAX,
  recordFreshMs: e.RECORD_FRESH_S * 1000,
  recordStaleMaxMs: e.RECORD_STALE_MAX_S * 1000,
  runtimeDir: e.RUNTIME_DIR === undefined ? undefined : path.resolve(e.RUNTIME_DIR),
  spoolBytesMax: e.SPOOL_BYTES_MAX,
  spoolSync: e.SPOOL_SYNC,
  spoolWriteTimeoutMs: e.SPOOL_WRITE_TIMEOUT_MS,
  segmentAgeMs: e.SEGMENT_AGE_MS,
  insertsPerSecond: e.CLICKHOUSE_INSERTS_PER_SECOND,
  insertCompression: e.CLICKHOUSE_COMPRESSION,
});

const aiSettings = ({ AI_URL, AI_MODEL, AI_KEY, AI_TIMEOUT_S }: Environment) =>
  AI_URL === undefined || AI_MODEL === undefined
    ? undefined
    : { url: AI_URL, model: AI_MODEL, key: AI_KEY, timeoutMs: AI_TIMEOUT_S * 1000 };

const defaultStorage = (dataDir: string): StorageSettings => ({
  kind: 'file',
  folder: path.join(dataDir, 'storage'),
  isDefault: true,
});

/**
 * The settings of an environment, with defaults applied. URLs of dependencies may be absent.
 * @throws {ConfigError} one line for each wrong variable
 */
export const loadSettings = (env: NodeJS.ProcessEnv = process.env) => {
  const e = readEnvironment(env);
  const dataDir = path.resolve(e.DATA_DIR);
  return {
    dataDir,
    host: e.HOST,
    internalHost: e.INTERNAL_HOST,
    shutdownGraceMs: e.SHUTDOWN_GRACE_S * 1000,
    controlPlane: controlPlaneSettings(e),
    redirector: redirectorSettings(e),
    baseUrl: e.BASE_URL,
    qrHost: e.QR_HOST,
    databaseUrl: e.DATABASE_URL,
    databaseConnectionsMax: e.DATABASE_CONNECTIONS_MAX,
    redisUrl: e.REDIS_URL,
    clickhouseUrl: e.CLICKHOUSE_URL,
    secretKey: e.SECRET_KEY,
    serialKeys: e.SERIAL_KEYS,
    bootstrapApiKey: e.BOOTSTRAP_API_KEY,
    trustedProxies: e.TRUSTED_PROXIES,
    proxyProtocol: e.PROXY_PROTOCOL,
    countryHeader: e.COUNTRY_HEADER,
    logoAllowPrivate: e.LOGO_ALLOW_PRIVATE,
    webhookAllowPrivate: e.WEBHOOK_ALLOW_PRIVATE,
    countryDatabase: e.COUNTRY_DATABASE,
    scanRetentionDays: e.SCAN_RETENTION_DAYS,
    storage: e.STORAGE_URL ?? defaultStorage(dataDir),
    backup: { place: e.BACKUP_URL, passphrase: e.BACKUP_PASSPHRASE },
    dnsServers: e.DNS_SERVERS,
    appLinksAllow: e.APP_LINKS_ALLOW,
    ai: aiSettings(e),
    examples: e.EXAMPLES,
    stripe: { webhookSecrets: e.STRIPE_WEBHOOK_SECRET ?? [], plans: e.STRIPE_PRICES },
    webRiskUrl: e.WEB_RISK_URL,
    screeningSuspends: e.SCREENING_SUSPENDS,
    logLevel: e.LOG_LEVEL,
  };
};

export type Settings = ReturnType<typeof loadSettings>;

/** Settings of a running plane: nothing remains to be embedded. */
export type Config = Settings & Record<(typeof required)[number][0], string>;

const required = [
  ['databaseUrl', 'DATABASE_URL'],
  ['redisUrl', 'REDIS_URL'],
  ['clickhouseUrl', 'CLICKHOUSE_URL'],
  ['secretKey', 'SECRET_KEY'],
] as const;

/**
 * The error for variables that must be set. Each names what its own type accepts.
 * @param remedy another way to fix it
 */
export const missingVariables = (
  names: readonly (keyof Environment)[],
  env: NodeJS.ProcessEnv,
  remedy: string,
): ConfigError => {
  const lines = names.map((name) => {
    const accepted = environment.shape[name].safeParse('').error?.issues[0]?.message;
    return `${name} ${accepted}; it is ${env[name] === '' ? 'empty' : 'not set'} (${remedy})`;
  });
  return new ConfigError(lines.join('\n'));
};

/**
 * The configuration a plane runs with.
 * @throws {ConfigError} if a variable is wrong, or a dependency's URL or the secret is missing
 */
export const loadConfig = (env: NodeJS.ProcessEnv = process.env): Config => {
  const settings = loadSettings(env);
  const missing = required.filter(([key]) => settings[key] === undefined).map(([, name]) => name);
  if (missing.length > 0) throw missingVariables(missing, env, 'npm start sets it');
  return settings as Config;
};
