/**
 * A redirector for tests: all parts of the process on free ports, with real Redis and ClickHouse. A server that knows
 * the test's records stands in for the control plane.
 */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { pino } from 'pino';
import {
  type CodeRecord,
  recordKey,
  recordStream,
  serializeRecord,
  timelineOf,
  versionOn,
} from '#schemas/code-record.ts';
import {
  brandDocuments,
  documentField,
  documentKey,
  serializeDocument,
  type Versioned,
  workspaceDocuments,
} from '#schemas/documents.ts';
import { sampleRecord } from '#schemas/testing/sample-record.ts';
import { createClickHouse } from '#shared/clickhouse.ts';
import { localUrl } from '#shared/config/local-url.ts';
import { type Config, loadConfig } from '#shared/config.ts';
import { createCodeIds } from '#shared/ids.ts';
import { createRedis, type Redis, untilReady } from '#shared/redis.ts';
import { deriveKey, internalToken } from '#shared/signing.ts';
import {
  afterFile,
  createTestClickHouse,
  freePort,
  redisUrl,
  temporaryFolder,
} from '../../deploy/testing/index.ts';
import { verificationOptions } from '../capacities.ts';
import { createDataQueue, type Redirector, startRedirector } from '../redirector.ts';
import type { VerificationOptions } from '../verify/open-verification.ts';
import { eventually } from './eventually.ts';
import { createReportsStandIn, type ReportsStandIn, takeReports } from './reports-stand-in.ts';
import { answerSerialized, createSerializedStandIn, type SerializedStandIn } from './serialized-stand-in.ts';

export const logger = pino({ level: 'silent' });
export const secretKey = 'a secret of the tests, forty letters long';
export const codeIds = createCodeIds(deriveKey(secretKey, 'code-id'));

export const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1';

/** A record of a new code. */
export const createRecord = (changes: Partial<CodeRecord> = {}): CodeRecord =>
  sampleRecord({ id: codeIds.create(), destination: 'https://example.com/landing?x=1', ...changes });

export interface ControlPlaneStandIn {
  records: Map<string, CodeRecord>;
  /** Published records, used unless `records` has another. */
  published: Map<string, CodeRecord>;
  /** Whether it compares versions; a release that does not answers 404. */
  comparesVersions: boolean;
  /** Passwords of codes. For the password `too many attempts` the answer is 429. */
  passwords: Map<string, string>;
  /** Answers for an id, instead of its record, verbatim. */
  texts: Map<string, string>;
  /** Documents by their ids. */
  documents: Map<string, Versioned>;
  /** Its answers to whether a name may have a certificate: 200, 404, 429; a name without one gets 404. */
  certificates: Map<string, number>;
  /** Names that it was asked for. */
  askedCertificates: string[];
  /** While true, lookups of documents of GS1 keys and workspaces get 503. */
  documentsAway: boolean;
  /** Ids of codes looked up … */
  asked: string[];
  /** … and of workspaces. */
  askedWorkspaces: string[];
  askedBrands: string[];
  /** Ids with password checks. */
  passwordChecks: string[];
  url: string;
  /** Its serialized items. */
  serialized: SerializedStandIn;
  /** The scans reported to it. */
  reports: ReportsStandIn;
  /** While true, connections are refused. */
  away: boolean;
  /** Lookups of codes are answered once this has resolved … */
  held: Promise<void> | undefined;
  /** … and of pages once this has; and how many wait for it, each on a connection of its own. */
  pages: { held: Promise<void> | undefined; waiting: number };
}

const answerPassword = async (
  password: string | undefined,
  req: http.IncomingMessage,
  res: http.ServerResponse,
): Promise<void> => {
  const body = await text(req);
  if (password === 'too many attempts') res.writeHead(429, { 'retry-after': '30' }).end();
  else res.writeHead(JSON.parse(body).password === password ? 204 : 401).end();
};

const answerVersions = async (
  { records, texts, published }: Pick<ControlPlaneStandIn, 'records' | 'texts' | 'published'>,
  req: http.IncomingMessage,
  res: http.ServerResponse,
): Promise<void> => {
  const ids: string[] = JSON.parse(await text(req)).ids.split(',');
  const found = ids.map((id) => {
    const record = records.get(id) ?? published.get(id);
    const version = texts.get(id)?.split(' ')[0] ?? record?.version;
    return Number(version ?? 0);
  });
  const timeline = timelineOf(Math.max(...found));
  const versions = found.map((version) => Math.max(0, version - versionOn(timeline, 0)));
  res.end(JSON.stringify({ timeline, versions }));
};

type AskedDocuments = Pick<ControlPlaneStandIn, 'asked' | 'askedWorkspaces' | 'askedBrands'>;

const askedOf = (standIn: AskedDocuments, id: string): string[] => {
  if (id.startsWith(brandDocuments.prefix)) return standIn.askedBrands;
  return id.startsWith(workspaceDocuments.prefix) ? standIn.askedWorkspaces : standIn.asked;
};

const answerDocuments = (
  standIn: AskedDocuments & Pick<ControlPlaneStandIn, 'documents' | 'documentsAway'>,
  url: URL,
  res: http.ServerResponse,
): void => {
  const ids = url.searchParams.get('ids')!.split(',');
  askedOf(standIn, ids[0]!).push(...ids);
  if (standIn.documentsAway) return void res.writeHead(503).end();
  const found = ids.flatMap((id) => standIn.documents.get(id) ?? []);
  res.end(JSON.stringify(found.map(serializeDocument)));
};

const answerCertificate = (
  { certificates, askedCertificates }: Pick<ControlPlaneStandIn, 'certificates' | 'askedCertificates'>,
  url: URL,
  res: http.ServerResponse,
): void => {
  const domain = url.searchParams.get('domain') ?? '';
  askedCertificates.push(domain);
  const status = certificates.get(domain) ?? 404;
  res.writeHead(status, status === 429 ? { 'retry-after': '17' } : {});
  res.end(JSON.stringify(status === 200 ? { domain } : { error: 'refused', code: 'REFUSED' }));
};

/** The domain that the redirector names. */
const domainOf = ({ headers }: http.IncomingMessage): string => {
  const domain = headers['waymark-domain'];
  return domain === undefined ? '' : ` for ${domain}`;
};

/** Answers the internal lookup as the control plane does, and everything else with its path. */
export const startControlPlaneStandIn = async (): Promise<ControlPlaneStandIn> => {
  const server = http.createServer((req, res) => {
    if (standIn.away) return void res.destroy();
    const url = new URL(req.url!, 'http://x');
    if (url.pathname === '/internal/domains/ask') return answerCertificate(standIn, url, res);
    if (url.pathname === '/f/length') return void buffer(req).then(({ length }) => res.end(String(length)));
    const codeId = /^\/internal\/codes\/(\w+)\/unlock$/.exec(url.pathname)?.[1];
    if (codeId) standIn.passwordChecks.push(codeId);
    if (codeId) return void answerPassword(standIn.passwords.get(codeId), req, res);
    if (
      !/^\/internal\/(codes|codes\/versions|documents|scans|hosted\/views|serialized\/\w+)$/.test(
        url.pathname,
      )
    )
      return void res.end(`passed: ${req.method} ${req.url}${domainOf(req)}`);
    if (req.headers.authorization !== `Bearer ${internalToken(secretKey)}`)
      return void res.writeHead(401).end();
    if (/^\/internal\/(scans|hosted\/views)$/.test(url.pathname))
      return void takeReports(standIn.reports, url, req, res);
    const { pages } = standIn;
    if (pages.held && /^page:/.test(url.searchParams.get('ids') ?? '')) {
      pages.waiting++;
      res.once('close', () => pages.waiting--);
      return void pages.held.then(() => answerDocuments(standIn, url, res));
    }
    if (/^(alias:|gs1:|domain:|marks:|page:|ws_)/.test(url.searchParams.get('ids') ?? ''))
      return answerDocuments(standIn, url, res);
    if (answerSerialized(standIn.serialized, url, req, res)) return;
    if (url.pathname.endsWith('/versions'))
      return void (standIn.comparesVersions ? answerVersions(standIn, req, res) : res.writeHead(404).end());
    const ids = url.searchParams.get('ids')!.split(',');
    standIn.asked.push(...ids);
    const textOf = (id: string) => {
      const record = standIn.records.get(id) ?? standIn.published.get(id);
      return standIn.texts.get(id) ?? (record && serializeRecord(record)) ?? [];
    };
    const answer = () => res.end(JSON.stringify(ids.flatMap(textOf)));
    if (standIn.held) standIn.held.then(answer);
    else answer();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterFile(() => {
    server.close();
    server.closeAllConnections();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const standIn: ControlPlaneStandIn = {
    records: new Map(),
    published: new Map(),
    comparesVersions: true,
    texts: new Map(),
    documents: new Map(),
    certificates: new Map(),
    askedCertificates: [],
    documentsAway: false,
    passwords: new Map(),
    asked: [],
    askedWorkspaces: [],
    askedBrands: [],
    passwordChecks: [],
    serialized: createSerializedStandIn(),
    reports: createReportsStandIn(),
    url,
    away: false,
    held: undefined,
    pages: { held: undefined, waiting: 0 },
  };
  return standIn;
};

export interface TestRedirector {
  url: string;
  config: Config;
  controlPlane: ControlPlaneStandIn;
  redis: Redis;
  redirector: Redirector;
  clickhouseUrl: string;
  /** Writes a record to Redis and announces it, as the control plane does. */
  publish(record: CodeRecord): Promise<void>;
  /** Publishes the record of a new code. */
  published(changes?: Partial<CodeRecord>): Promise<CodeRecord>;
  /** Writes a document to Redis and announces it, as the control plane does. */
  publishDocument(document: Versioned): Promise<void>;
  /** Resolves once Redis answers and the change stream is followed. */
  connected(): Promise<void>;
  /** The rows of a query to its ClickHouse. */
  query<T = Record<string, unknown>>(query: string, params?: Record<string, unknown>): Promise<T[]>;
  /** Logged warnings and errors, without process and time. */
  logged(): Record<string, unknown>[];
  /** Scans a code as a phone does; redirects are not followed. */
  scan(id: string, init?: RequestInit): Promise<Response>;
}

/** @returns the rows of one query */
const queryClickHouse = async <T>(
  url: string,
  query: string,
  params: Record<string, unknown>,
): Promise<T[]> => {
  const client = createClickHouse(url, 'test', 10_000);
  try {
    const result = await client.query({ query, query_params: params, format: 'JSONEachRow' });
    return await result.json<T>();
  } finally {
    await client.close();
  }
};

export const createLog = () => {
  const lines: string[] = [];
  const options = { level: 'warn', base: null, timestamp: false };
  const levels = { formatters: { level: (level: string) => ({ level }) } };
  return {
    logger: pino({ ...options, ...levels }, { write: (line: string) => void lines.push(line) }),
    lines: (): Record<string, unknown>[] => lines.map((line) => JSON.parse(line)),
  };
};

interface TestOptions {
  /** False for tests without Redis. */
  waitForRedis?: boolean;
  /** Changes the product's limits and times of verifications. */
  verifying?(product: VerificationOptions): VerificationOptions;
}

/** @param environment further settings */
export const startTestRedirector = async (
  environment: Record<string, string> = {},
  { waitForRedis = true, verifying = (product) => product }: TestOptions = {},
): Promise<TestRedirector> => {
  const [port, internalPort, dataDir, controlPlane, clickhouseUrl] = await Promise.all([
    freePort(),
    freePort(),
    temporaryFolder(),
    startControlPlaneStandIn(),
    createTestClickHouse(),
  ]);
  const config = loadConfig({
    DATA_DIR: dataDir,
    RUNTIME_DIR: path.join(dataDir, 'runtime'),
    HOST: '127.0.0.1',
    REDIRECTOR_PORT: String(port),
    REDIRECTOR_INTERNAL_PORT: String(internalPort),
    REDIRECTOR_CODES_MAX: '1000',
    CONTROL_PLANE_URL: controlPlane.url,
    CONTROL_PLANE_INTERNAL_URL: controlPlane.url,
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    REDIS_URL: redisUrl(),
    CLICKHOUSE_URL: clickhouseUrl,
    SECRET_KEY: secretKey,
    ...environment,
  });
  const log = createLog();
  const redirector = await startRedirector(
    config,
    log.logger,
    createDataQueue(),
    undefined,
    verifying(verificationOptions(config)),
  );
  afterFile(() => redirector.close());
  const redis = createRedis(config.redisUrl, { name: 'test', commandTimeoutMs: 2000 }, logger);
  afterFile(() => redis.disconnect());
  if (waitForRedis) await untilReady(redis);
  const url = localUrl(config.host, port);
  const publish = async (record: CodeRecord): Promise<void> => {
    controlPlane.published.set(record.id, record);
    await redis.set(recordKey(record.id), serializeRecord(record));
    await redis.xadd(recordStream, '*', 'record', serializeRecord(record), 'id', record.id);
  };
  const publishDocument = async (document: Versioned): Promise<void> => {
    const text = serializeDocument(document);
    controlPlane.documents.set(document.id, document);
    await redis.set(documentKey(document.id), text);
    await redis.xadd(recordStream, '*', documentField, text, 'id', document.id);
  };
  const connected = (): void => {
    const health = redirector.health();
    if (!health.redis || !health.changes) throw new Error(`not connected: ${JSON.stringify(health)}`);
  };
  return {
    url,
    config,
    controlPlane,
    redis,
    redirector,
    clickhouseUrl: config.clickhouseUrl,
    publish,
    publishDocument,
    async published(changes) {
      const record = createRecord(changes);
      await publish(record);
      return record;
    },
    connected: () => eventually(connected),
    query: (query, params = {}) => queryClickHouse(config.clickhouseUrl, query, params),
    logged: log.lines,
    scan: (id, init = {}) =>
      fetch(`${url}/r/${id}`, {
        redirect: 'manual',
        ...init,
        headers: { 'user-agent': phone, ...init.headers },
      }),
  };
};
