import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  createDisbeliefWarning,
  forwardedForHopsMax,
  forwardedForLengthMax,
  nearestUntrusted,
} from './forwarded-for.ts';
import { isInNetwork, parseAddress, parseNetwork } from './networks.ts';

const trusted = ['10.0.0.0/8', 'fd00::/8', '::ffff:192.168.0.0/112'].map(parseNetwork);
const isTrusted = (address: NonNullable<ReturnType<typeof parseAddress>>): boolean =>
  trusted.some((network) => isInNetwork(address, network));
const clientOf = (header: string): string | undefined =>
  nearestUntrusted(header, { read: parseAddress, isTrusted })?.toString();

describe('X-Forwarded-For is read from its end', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['198.51.100.1, 203.0.113.7', '203.0.113.7'],
    ['198.51.100.1,203.0.113.7 ,\t10.1.1.1,fd00::1', '203.0.113.7'],
    ['192.168.0.1', '192.168.0.1'],
    ['198.51.100.1, 192.168.0.1', '198.51.100.1'],
    ['198.51.100.1, 192.169.0.1', '192.169.0.1'],
  ])('"%s" names %s', (header, client) => {
    expect(clientOf(header)).toBe(client);
  });

  test.each([
    ['203.0.113.7:5678', '203.0.113.7'],
    ['[2001:db8::1]:80', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['2001:db8::1', '2001:db8::1'],
    ['"203.0.113.7"', '203.0.113.7'],
    ['"[2001:db8::1]:4711"', '2001:db8::1'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:CB00:7107', '203.0.113.7'],
    ['[::ffff:203.0.113.7]:1', '203.0.113.7'],
    ['198.51.100.1, 10.0.0.1:65535', '198.51.100.1'],
  ])('%s is %s with a port, quotes, brackets or in IPv6', (header, client) => {
    expect(clientOf(header)).toBe(client);
  });

  test.each([
    ['', undefined],
    [',', undefined],
    [',,,', undefined],
    ['unknown', undefined],
    ['1', undefined],
    ['2130706433', undefined],
    ['0x7f.0.0.1', undefined],
    ['010.1.1.1', undefined],
    ['203.0.113.7:port', undefined],
    ['203.0.113.7:', undefined],
    ['[2001:db8::1', undefined],
    ['2001:db8::1]', undefined],
    ['fe80::1%eth0', undefined],
    ['"203.0.113.7', undefined],
    ['203.0.113.7, unknown, 10.0.0.1', '10.0.0.1'],
    ['203.0.113.7, , 10.0.0.1', '10.0.0.1'],
    ['203.0.113.7, 10.0.0.2, _hidden, 10.0.0.1', '10.0.0.1'],
  ])('"%s" stops at what is no address: the last trusted hop (%s) is the client', (header, client) => {
    expect(clientOf(header)).toBe(client);
  });

  test('is not read beyond its limits', () => {
    const hops = (count: number) => Array<string>(count).fill('10.0.0.1').join(',');
    expect(clientOf(`203.0.113.7,${hops(forwardedForHopsMax - 1)}`)).toBe('203.0.113.7');
    expect(clientOf(`203.0.113.7,${hops(forwardedForHopsMax)}`)).toBe('10.0.0.1');
    const pad = (length: number) => `${' '.repeat(length - '10.0.0.1'.length)}10.0.0.1`;
    expect(clientOf(`203.0.113.7,${pad(forwardedForLengthMax - 12)}`)).toBe('203.0.113.7');
    expect(clientOf(`203.0.113.7,${pad(forwardedForLengthMax)}`)).toBe('10.0.0.1');
    expect(clientOf('1'.repeat(10 * forwardedForLengthMax))).toBeUndefined();
    // The limit falls inside `203.0.113.7`, whose end `3.0.113.7` must not become an address.
    for (let cut = 1; cut < 12; cut++) {
      expect(clientOf(`203.0.113.7,${pad(forwardedForLengthMax - 12 + cut)}`)).toBe('10.0.0.1');
    }
  });
});

/** The same, slowly and obviously: the elements as a list, the last ones first. */
const reference = (header: string): string | undefined => {
  const elements = header.split(',').map((element) =>
    element
      .trim()
      .replace(/^"(.*)"$/, '$1')
      .replace(/^\[([^\]]*)\](:\d{1,5})?$/, '$1')
      .replace(/^(\d+\.\d+\.\d+\.\d+):\d{1,5}$/, '$1'),
  );
  const fromEnd = elements.reverse().map(parseAddress);
  const chain = fromEnd.slice(
    0,
    fromEnd.findIndex((address) => address === undefined || !isTrusted(address)) + 1 || undefined,
  );
  return chain
    .filter((address) => address !== undefined)
    .at(-1)
    ?.toString();
};

test('it reads any header like the slow and obvious reading', () => {
  const address = fc.oneof(
    fc.ipV4(),
    fc.ipV6(),
    fc.ipV4().map((text) => `::ffff:${text}`),
    fc.constantFrom('10.0.0.1', '10.2.3.4', 'fd00::5', '192.168.0.9', '::ffff:10.1.1.1'),
  );
  const element = fc.oneof(
    { weight: 6, arbitrary: address },
    fc.tuple(fc.ipV4(), fc.nat(65535)).map(([ip, port]) => `${ip}:${port}`),
    fc.tuple(address, fc.nat(65535)).map(([ip, port]) => `[${ip}]:${port}`),
    address.map((ip) => `"${ip}"`),
    fc.constantFrom('', ' ', 'unknown', '_x', '"', '[', ']', ':80', '1.2.3', '010.0.0.1'),
    fc.string({ maxLength: 6 }).filter((text) => !text.includes(',')),
  );
  const header = fc
    .array(fc.tuple(element, fc.constantFrom(',', ', ', ' ,\t')), { maxLength: forwardedForHopsMax })
    .map((parts) => parts.map(([text, comma], index) => (index === 0 ? text : comma + text)).join(''))
    .filter((text) => text.length <= forwardedForLengthMax);
  fc.assert(
    fc.property(header, (text) => {
      expect(clientOf(text)).toBe(reference(text));
    }),
    { numRuns: 3000 },
  );
});

describe('the warning about an ignored header', () => {
  const warned = (options?: { proxyProtocol: boolean }) => {
    const lines: { fields: object; message: string }[] = [];
    const warning = createDisbeliefWarning((fields, message) => lines.push({ fields, message }), options);
    return { warning, lines };
  };

  test.each([
    ['10.1.2.3', '10.1.2.3'],
    ['fd00::7', 'fd00::7'],
    ['8.8.4.4', '8.8.4.0/24'],
    ['2a00:1450:4001:800::200e', '2a00:1450:4001::/48'],
  ])(
    "names a private address, and only the network of a public one, possibly a visitor's: %s",
    (peer, reported) => {
      const { warning, lines } = warned();
      warning.of(peer);
      expect(lines).toEqual([
        {
          fields: { peer: reported },
          message: expect.stringMatching(
            /is not believed.*if it is your proxy, name its address in TRUSTED_PROXIES/,
          ),
        },
      ]);
      expect(lines[0]!.message).toContain(`from ${reported} `);
    },
  );

  test('names no address if the PROXY protocol names clients, and does not advise trusting one', () => {
    const { warning, lines } = warned({ proxyProtocol: true });
    warning.of('8.8.4.4');
    expect(lines).toEqual([
      { fields: {}, message: expect.stringContaining('never the address of a client') },
    ]);
    expect(lines[0]!.message).not.toContain('8.8.4');
  });

  test('repeats hourly, so that a stranger does not use it up', () => {
    vi.useFakeTimers();
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const { warning, lines } = warned();
    warning.of('8.8.4.4');
    warning.of('10.1.2.3');
    vi.advanceTimersByTime(3_599_000);
    expect([warning.pending, lines.length]).toEqual([false, 1]);
    vi.advanceTimersByTime(1_000);
    expect(warning.pending).toBe(true);
    warning.of('10.1.2.3');
    expect(lines.map(({ fields }) => fields)).toEqual([{ peer: '8.8.4.0/24' }, { peer: '10.1.2.3' }]);
  });
});
