/** For tests: a complete control plane with its own databases, and clients that call it. */
import { pathToFileURL } from 'node:url';
import { type CodeObject, codeObject } from '#schemas/api/codes.ts';
import type { LimitOverrides, Plan } from '#schemas/api/plans.ts';
import { loadConfig } from '#shared/config.ts';
import { messageOf } from '#shared/errors.ts';
import type { Closeable } from '#shared/lifecycle.ts';
import { createLogger, type Logger } from '#shared/logger.ts';
import { internalToken } from '#shared/signing.ts';
import {
  afterFile,
  createTestDatabase,
  redisUrl,
  sharedTestClickHouse,
  temporaryFolder,
} from '../../deploy/testing/index.ts';
import { describeApi, errorSchema } from '../api/openapi/document.ts';
import { startControlPlane } from '../app.ts';
import { changeSubscription, createWorkspace, type NewWorkspace } from '../features/tenancy/store.ts';
import type { Feature } from '../framework/feature.ts';
import { createPool, type Pool } from '../platform/db/pool.ts';
import { type Contract, createContract } from './contract.ts';

export const qrHost = 'https://qr.example.com';
/** A blue square of 8 pixels, PNG in base64. */
export const logo =
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAMAAADz0U65AAAAA1BMVEUMSm4O/C9uAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAADElEQVQImWNgoA4AAABIAAF7pRHIAAAAAElFTkSuQmCC';
/** A brand kit, as a client creates it. */
export const kitBody = { name: 'House style', primaryColor: '#0c4a6e', backgroundColor: '#ffffff' };
export const secretKey = 'a secret of tests, at least 32 characters long';

export interface Answer {
  status: number;
  headers: Headers;
  /** Parsed if it is JSON, else the bytes. */
  body: unknown;
}

/** A string or bytes are sent unchanged, anything else as JSON. */
export type Call = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Answer>;

export interface Workspace extends NewWorkspace {
  /** Calls the API with the workspace's key. */
  call: Call;
  /** @returns the created code's object, checked */
  createCode(body?: object): Promise<CodeObject>;
}

export interface TestControlPlane extends Closeable {
  pool: Pool;
  databaseUrl: string;
  redisUrl: string;
  clickhouseUrl: string;
  url: string;
  /** By default on Enterprise, without its rate: tests send more per second than it allows. */
  workspace(options?: WorkspaceOptions): Promise<Workspace>;
  /** The plane's own document; responses to `call` and `callWith` are checked against it. */
  contract: Contract;
  /** Calls the API with any key, or with none. */
  callWith(apiKey: string | undefined): Call;
  /** Calls the internal listener, with its token. */
  internal: Call;
  internalUrl: string;
}

export interface WorkspaceOptions {
  plan?: Plan;
  /** Overrides the rate; undefined limits are the plan's. */
  limits?: LimitOverrides;
}

export interface TestOptions {
  /** May be shared with another plane. */
  databaseUrl?: string;
  redisUrl?: string;
  clickhouseUrl?: string;
  /** Silent by default. */
  logger?: Logger;
  /** Further environment, as an operator would set it. */
  environment?: Record<string, string>;
  /** Default: the product's. */
  features?: readonly Feature[];
  /** Whether to listen on the environment's internal port rather than a free one. */
  keepInternalPort?: boolean;
}

const silent = createLogger('test', 'silent');
const patientMs = { connectionTimeoutMillis: 60_000, statement_timeout: 60_000, query_timeout: 60_000 };
const unlimitedRate: LimitOverrides = { requestsPerSecond: 1_000_000 };
/** Limits for calls with low limits; a test of these limits passes undefined. */
const manyCalls: LimitOverrides = { bulkCallsPerMinute: 1_000_000, exportsPerHour: 1_000_000 };

export const startTestControlPlane = async (options: TestOptions = {}): Promise<TestControlPlane> => {
  const databaseUrl = options.databaseUrl ?? (await createTestDatabase());
  const logger = options.logger ?? silent;
  const urls = {
    redisUrl: options.redisUrl ?? redisUrl(),
    clickhouseUrl: options.clickhouseUrl ?? (await sharedTestClickHouse()),
  };
  const config = loadConfig({
    DATABASE_URL: databaseUrl,
    REDIS_URL: urls.redisUrl,
    CLICKHOUSE_URL: urls.clickhouseUrl,
    SECRET_KEY: secretKey,
    QR_HOST: qrHost,
    HOST: '127.0.0.1',
    // Nothing answers there: no test asks the machine's name servers.
    DNS_SERVERS: '127.0.0.1:9',
    STORAGE_URL: pathToFileURL(await temporaryFolder()).href,
    ...options.environment,
  });
  const ownPorts = {
    ...config,
    controlPlane: {
      ...config.controlPlane,
      port: 0,
      ...(!options.keepInternalPort && { internalPort: 0 }),
    },
  };
  const plane = await startPatiently(() =>
    startControlPlane(ownPorts, logger, options.features, describeOnce),
  );
  const pool = createPool(databaseUrl, 'test', logger, 4);
  // The test's own look into the database is not a client's request: it may take as long as a busy machine needs.
  Object.assign(pool.options, patientMs);
  afterFile(() => pool.end());
  afterFile(() => plane.close());
  const url = `http://127.0.0.1:${plane.port}`;
  const document = await fetch(`${url}/openapi.json`);
  const contract = contractOf(await document.text());
  const callWith = (apiKey: string | undefined) => checked(caller(url, apiKey), contract);
  return {
    ...urls,
    databaseUrl,
    pool,
    url,
    contract,
    callWith,
    internal: caller(`http://127.0.0.1:${plane.internalPort}`, internalToken(secretKey)),
    internalUrl: `http://127.0.0.1:${plane.internalPort}`,
    async workspace({ plan = 'enterprise', limits = unlimitedRate } = {}) {
      const workspace = await createWorkspace(pool, 'test', plan);
      await changeSubscription(pool, workspace.workspaceId, { limits: { ...manyCalls, ...limits } });
      const call = callWith(workspace.apiKey);
      return { ...workspace, call, createCode: (body) => createCode(call, body) };
    },
    close: () => plane.close(),
  };
};

/** Caches results by arguments: a test process starts many planes, and these take most of a start's time. */
const remember = <Made>(made: Map<string, Made>, key: string, make: () => Made): Made => {
  const known = made.get(key) ?? make();
  made.set(key, known);
  return known;
};

const descriptions = new Map<string, ReturnType<typeof describeApi>>();
const contracts = new Map<string, Contract>();

/** The product's operations differ only in their origins; a test's operations have their own names. */
const describeOnce: typeof describeApi = (operations, origins) =>
  remember(descriptions, JSON.stringify([operations.map(({ docs }) => docs.id), origins]), () =>
    describeApi(operations, origins),
  );

const contractOf = (document: string): Contract =>
  remember(contracts, document, () => createContract(JSON.parse(document)));

/** On a busy machine a connection to PostgreSQL may take longer than a start waits; then it is started again. */
const startPatiently = async <Started>(start: () => Promise<Started>, triesMax = 5): Promise<Started> => {
  for (let tries = 1; ; tries++) {
    try {
      return await start();
    } catch (error) {
      if (tries === triesMax || !/timeout/.test(messageOf(error))) throw error;
    }
  }
};

const createCode = async (call: Call, body: object = {}): Promise<CodeObject> => {
  const answer = await call('POST', '/api/qr/codes', { data: 'https://example.com/', ...body });
  if (answer.status !== 201)
    throw new Error(`create answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return codeObject.parse(answer.body);
};

/** @returns a function that calls a server with a key, and checks nothing */
export const caller =
  (url: string, bearer: string | undefined): Call =>
  async (method, path, body, headers = {}) => {
    const bytes = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    const response = await fetch(url + path, {
      method,
      // A redirect is the response: nothing outside this plane is requested.
      redirect: 'manual',
      headers: {
        ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(bytes !== undefined && { body: bytes }),
    });
    const received = Buffer.from(await response.arrayBuffer());
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    return {
      status: response.status,
      headers: response.headers,
      body: isJson && received.length > 0 ? JSON.parse(received.toString()) : received,
    };
  };

/** Requires every response in a test to be documented. */
const checked =
  (call: Call, contract: Contract): Call =>
  async (method, path, body, headers) => {
    const answer = await call(method, path, body, headers);
    contract.check(method, path, answer);
    return answer;
  };

/** The body of every response that is not 2xx. */
export const errorBody = errorSchema.strict();
