import { describe, expect, test } from 'vitest';
import { loadConfig, loadSettings, variableNames } from './config.ts';

const urlsOf = (env: Record<string, string>): string[] => {
  const { controlPlane } = loadSettings(env);
  return [controlPlane.url, controlPlane.internalUrl];
};

describe('HOST and INTERNAL_HOST', () => {
  test.each([
    [{}, 'http://127.0.0.1:3000', 'http://127.0.0.1:3001'],
    [{ HOST: '::' }, 'http://127.0.0.1:3000', 'http://127.0.0.1:3001'],
    [{ HOST: '::1', INTERNAL_HOST: '[::1]' }, 'http://[::1]:3000', 'http://[::1]:3001'],
    [{ HOST: '192.0.2.7' }, 'http://192.0.2.7:3000', 'http://127.0.0.1:3001'],
    [{ HOST: 'localhost' }, 'http://localhost:3000', 'http://127.0.0.1:3001'],
  ])('redirectors on this machine reach a control plane on %o', (env, ...urls) => {
    expect(urlsOf(env)).toEqual(urls);
  });

  test.each(['not an address', '[::1', ':::', 'http://x'])('%s is refused by name', (HOST) => {
    expect(() => loadSettings({ HOST })).toThrow(/^HOST must be an IP address or the name of this host/);
  });
});

/** The lines of the error. */
const refusalOf = (load: () => unknown): string[] => {
  try {
    load();
  } catch (error) {
    expect(error).toMatchObject({ name: 'ConfigError' });
    return (error as Error).message.split('\n');
  }
  throw new Error('nothing was refused');
};

describe('BASE_URL and QR_HOST', () => {
  test.each([
    [{}, 'http://localhost:3000', 'http://localhost:8080'],
    [{ CONTROL_PLANE_PORT: '4300' }, 'http://localhost:4300', 'http://localhost:8080'],
    [{ REDIRECTOR_PORT: '80' }, 'http://localhost:3000', 'http://localhost'],
    [
      { REDIRECTOR_PORT: '4380', QR_HOST: 'https://qr.example.com' },
      'http://localhost:3000',
      'https://qr.example.com',
    ],
  ])('are by default this machine’s, at the ports of %o', (env, ...origins) => {
    const { baseUrl, qrHost } = loadSettings(env);
    expect([baseUrl, qrHost]).toEqual(origins);
  });
});

describe('a wrong setting is reported with the given value and the accepted ones', () => {
  test.each([
    ['REDIRECTOR_PORT', 'eighty', 'must be a port number, 1 to 65535; given: "eighty"'],
    ['REDIRECTOR_HTTP10_PORT', '70000', 'must be a port number, 1 to 65535; given: "70000"'],
    ['RECORD_FRESH_S', '1.5', 'must be a whole number from 1 to 3600; given: "1.5"'],
    [
      'HOST',
      'http://x',
      'must be an IP address or the name of this host, such as 0.0.0.0, :: or 127.0.0.1; given: "http://x"',
    ],
    [
      'QR_HOST',
      'qr.example.com',
      'must be an origin such as https://qr.example.com; given: "qr.example.com"',
    ],
    [
      'BASE_URL',
      'https://example.com/api',
      'must be an origin without a path, such as https://qr.example.com; given: "https://example.com/api"',
    ],
    ['REDIS_URL', 'redis.example', 'must be a URL such as redis://host:6379; given: "redis.example"'],
    [
      'TRUSTED_PROXIES',
      '10.0.0.0/8,proxy',
      'must be CIDRs separated by commas, such as 10.0.0.0/8,::1/128; given: "10.0.0.0/8,proxy"',
    ],
    ['COUNTRY_HEADER', 'a b', 'must be a header name such as CF-IPCountry; given: "a b"'],
    ['SPOOL_SYNC', 'often', 'must be none, interval or always; given: "often"'],
    ['LOGO_ALLOW_PRIVATE', 'yes', 'must be true or false; given: "yes"'],
    ['WEBHOOK_ALLOW_PRIVATE', 'yes', 'must be true or false; given: "yes"'],
    ['LOG_LEVEL', 'loud', 'must be trace, debug, info, warn, error, fatal or silent; given: "loud"'],
  ])('%s=%s', (name, text, line) => {
    expect(refusalOf(() => loadSettings({ [name]: text }))).toEqual([`${name} ${line}`]);
  });

  test('each has a line of its own, and long values are cut', () => {
    const lines = refusalOf(() => loadSettings({ SPOOL_SYNC: 'x'.repeat(10_000), LOG_LEVEL: 'a\nb' }));
    expect(lines).toEqual([
      expect.stringMatching(/^SPOOL_SYNC must be none, interval or always; given: "x{200}…"$/),
      'LOG_LEVEL must be trace, debug, info, warn, error, fatal or silent; given: "a\\nb"',
    ]);
  });

  test('settings that contradict each other are all named, with their values', () => {
    const env = {
      RECORD_FRESH_S: '30',
      RECORD_STALE_MAX_S: '20',
      CONTROL_PLANE_PORT: '3000',
      REDIRECTOR_PORT: '3000',
    };
    expect(refusalOf(() => loadSettings(env))).toEqual([
      'RECORD_STALE_MAX_S must be at least RECORD_FRESH_S, 30; given: 20',
      'CONTROL_PLANE_PORT and REDIRECTOR_PORT must differ; given: 3000 for both',
    ]);
  });

  test('a default that contradicts a given value is reported as the default', () => {
    expect(refusalOf(() => loadSettings({ RECORD_FRESH_S: '90' }))).toEqual([
      'RECORD_STALE_MAX_S must be at least RECORD_FRESH_S, 90; it is not set, and its default is 60',
    ]);
    expect(refusalOf(() => loadSettings({ RECORD_STALE_MAX_S: '5' }))).toEqual([
      'RECORD_STALE_MAX_S must be at least RECORD_FRESH_S, 10 by default; given: 5',
    ]);
    expect(refusalOf(() => loadSettings({ REDIRECTOR_PORT: '3000' }))).toEqual([
      'CONTROL_PLANE_PORT and REDIRECTOR_PORT must differ; given: 3000 for REDIRECTOR_PORT, the default of the other',
    ]);
  });

  test('a certificate and its key must be set together, and require an https QR_HOST', () => {
    expect(refusalOf(() => loadSettings({ TLS_KEY: 'k.pem', QR_HOST: 'https://qr.example.com' }))).toEqual([
      'TLS_CERT must be set where TLS_KEY is: a certificate and its key are needed; it is not set',
    ]);
    expect(refusalOf(() => loadSettings({ TLS_CERT: 'c.pem' }))).toEqual([
      'TLS_KEY must be set where TLS_CERT is: a certificate and its key are needed; it is not set',
      'QR_HOST must begin with https:// where TLS_CERT is set; it is not set, and its default is "http://localhost:8080"',
    ]);
    expect(
      refusalOf(() => loadSettings({ TLS_CERT: 'c.pem', TLS_KEY: 'k.pem', REDIRECTOR_PORT: '443' })),
    ).toEqual([
      'QR_HOST must begin with https:// where TLS_CERT is set; it is not set, and its default is "http://localhost:443"',
    ]);
    const both = { TLS_CERT: 'c.pem', TLS_KEY: 'k.pem', QR_HOST: 'https://qr.example.com' };
    expect(loadSettings(both).redirector.tls).toEqual({ certFile: 'c.pem', keyFile: 'k.pem' });
  });

  test('the PROXY protocol requires trusted proxies, and cannot precede TLS', () => {
    expect(refusalOf(() => loadSettings({ PROXY_PROTOCOL: 'true' }))).toEqual([
      'TRUSTED_PROXIES must be set where PROXY_PROTOCOL is true: any client could name any address; it is not set',
    ]);
    const tls = { TLS_CERT: 'c.pem', TLS_KEY: 'k.pem', QR_HOST: 'https://qr.example.com' };
    const both = { PROXY_PROTOCOL: 'true', TRUSTED_PROXIES: '10.0.0.1' };
    expect(refusalOf(() => loadSettings({ ...both, ...tls }))).toEqual([
      'PROXY_PROTOCOL must be false where TLS_CERT is set: a header ahead of TLS is not read; given: true',
    ]);
    expect([loadSettings(both).proxyProtocol, loadSettings({}).proxyProtocol]).toEqual([true, false]);
  });

  test('a missing variable is reported with its accepted values', () => {
    const REDIS_URL = 'redis://localhost';
    expect(refusalOf(() => loadConfig({ REDIS_URL, CLICKHOUSE_URL: '' }))).toEqual([
      'DATABASE_URL must be a URL such as postgres://user:password@host:5432/waymark; it is not set (npm start sets it)',
      'CLICKHOUSE_URL must be a URL such as http://user:password@host:8123/waymark; it is empty (npm start sets it)',
      'SECRET_KEY must have at least 32 characters; it is not set (npm start sets it)',
    ]);
  });
});

describe('no error reveals a secret', () => {
  const paths = ['TLS_KEY'];
  const others = ['SERIAL_KEYS', 'STRIPE_WEBHOOK_SECRET'];
  const secrets = variableNames.filter((name) => /KEY|SECRET|PASSWORD|TOKEN/.test(name));

  test.each(secrets.filter((name) => ![...paths, ...others].includes(name)))('%s', (name) => {
    const [line] = refusalOf(() => loadSettings({ [name]: 'hunter2' }));
    expect(line).toMatch(/^\w+ must have at least \d+ characters; given: 7 characters$/);
  });

  test('SERIAL_KEYS', () => {
    const [line] = refusalOf(() => loadSettings({ SERIAL_KEYS: 'hunter2' }));
    expect(line).toMatch(
      /^SERIAL_KEYS must be generations and keys such as .*; entry 1 is not a generation, .*; given: 7 characters$/,
    );
  });

  test('STRIPE_WEBHOOK_SECRET', () => {
    const [line] = refusalOf(() => loadSettings({ STRIPE_WEBHOOK_SECRET: 'hunter2' }));
    expect(line).toMatch(
      /^STRIPE_WEBHOOK_SECRET must be 1 to 5 signing secrets, .* number 1 .*; given: 7 characters$/,
    );
  });

  test.each([
    '-----BEGIN PRIVATE KEY-----\nhunter2',
    '-----BEGIN PRIVATE KEY-----hunter2',
    'hunter2'.repeat(1_000),
  ])('TLS_KEY with the key itself in place of its path: %.30s', (text) => {
    expect(refusalOf(() => loadSettings({ TLS_KEY: text }))).toEqual([
      `TLS_KEY must be the path of a file, not what the file contains; given: ${text.length} characters`,
    ]);
  });

  test.each([
    ['DATABASE_URL', 'mysql://user:hunter2@db.example:3306/waymark', '"mysql://…@db.example:3306/waymark"'],
    ['DATABASE_URL', 'mysql://db.example/waymark?password=hunter2', '"mysql://db.example/waymark?…"'],
    ['REDIS_URL', 'http://:hunter2@redis.example', '"http://…@redis.example/"'],
    ['CLICKHOUSE_URL', 'user:hunter2@clickhouse', 'a text with "@" that is not a URL'],
    ['CLICKHOUSE_URL', 'ftp://user:8123?hunter2@clickhouse', 'a text with "@" that is not a URL'],
    ['BASE_URL', 'https://user:hunter2@example.com/api', '"https://…@example.com/api"'],
    ['STORAGE_URL', 'gs://user:hunter2@bucket', '"gs://…@bucket"'],
  ])('of %s=%s', (name, text, given) => {
    const [line] = refusalOf(() => loadSettings({ [name]: text }));
    expect(line).not.toContain('hunter2');
    expect(line!.split('; given: ')[1]).toBe(given);
  });
});
