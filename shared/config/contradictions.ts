/** Settings that are valid one by one but contradict each other. */

interface Ages {
  RECORD_FRESH_S: number;
  RECORD_STALE_MAX_S: number;
}

/** Whether the environment sets a variable: for the others, a message says that the value is the default. */
type IsGiven = (name: string) => boolean;

const givenOrDefault = (isGiven: IsGiven, name: string, value: string | number): string =>
  isGiven(name) ? `given: ${value}` : `it is not set, and its default is ${value}`;

const staleBeforeFresh = ({ RECORD_FRESH_S, RECORD_STALE_MAX_S }: Ages, isGiven: IsGiven): string[] => {
  if (RECORD_STALE_MAX_S >= RECORD_FRESH_S) return [];
  const least = isGiven('RECORD_FRESH_S') ? RECORD_FRESH_S : `${RECORD_FRESH_S} by default`;
  const actual = givenOrDefault(isGiven, 'RECORD_STALE_MAX_S', RECORD_STALE_MAX_S);
  return [`RECORD_STALE_MAX_S must be at least RECORD_FRESH_S, ${least}; ${actual}`];
};

const ports = [
  'CONTROL_PLANE_PORT',
  'CONTROL_PLANE_INTERNAL_PORT',
  'REDIRECTOR_PORT',
  'REDIRECTOR_INTERNAL_PORT',
  'REDIRECTOR_HTTP10_PORT',
] as const;

type Ports = Partial<Record<(typeof ports)[number], number | undefined>>;

const samePort = (first: string, second: string, port: number | undefined, isGiven: IsGiven): string => {
  const given = [first, second].filter(isGiven);
  const whose = given.length === 2 ? 'both' : `${given.join()}, the default of the other`;
  return `${first} and ${second} must differ; given: ${port} for ${whose}`;
};

const samePorts = (settings: Ports, isGiven: IsGiven): string[] =>
  ports.flatMap((first, at) =>
    ports
      .slice(at + 1)
      .filter((second) => settings[first] !== undefined && settings[first] === settings[second])
      .map((second) => samePort(first, second, settings[first], isGiven)),
  );

interface Tls {
  TLS_CERT?: string | undefined;
  TLS_KEY?: string | undefined;
  QR_HOST: string;
}

const halfOfTls = ({ TLS_CERT, TLS_KEY }: Tls): string[] => {
  if ((TLS_CERT === undefined) === (TLS_KEY === undefined)) return [];
  const [given, missing] = TLS_KEY === undefined ? ['TLS_CERT', 'TLS_KEY'] : ['TLS_KEY', 'TLS_CERT'];
  return [`${missing} must be set where ${given} is: a certificate and its key are needed; it is not set`];
};

/** A TLS port does not answer plain HTTP. */
const plainHostWithTls = ({ TLS_CERT, QR_HOST }: Tls, isGiven: IsGiven): string[] => {
  if (TLS_CERT === undefined || QR_HOST.startsWith('https://')) return [];
  const actual = givenOrDefault(isGiven, 'QR_HOST', JSON.stringify(QR_HOST));
  return [`QR_HOST must begin with https:// where TLS_CERT is set; ${actual}`];
};

interface ProxyProtocol extends Tls {
  PROXY_PROTOCOL: boolean;
  TRUSTED_PROXIES: readonly string[];
}

const proxyProtocolOfStrangers = (settings: ProxyProtocol): string[] =>
  settings.PROXY_PROTOCOL && settings.TRUSTED_PROXIES.length === 0
    ? [
        'TRUSTED_PROXIES must be set where PROXY_PROTOCOL is true: any client could name any address; it is not set',
      ]
    : [];

/** The header would come before the handshake and would not be read. */
const proxyProtocolBeforeTls = ({ PROXY_PROTOCOL, TLS_CERT }: ProxyProtocol): string[] =>
  PROXY_PROTOCOL && TLS_CERT !== undefined
    ? ['PROXY_PROTOCOL must be false where TLS_CERT is set: a header ahead of TLS is not read; given: true']
    : [];

interface Payments {
  STRIPE_WEBHOOK_SECRET?: readonly string[] | undefined;
  STRIPE_PRICES: ReadonlyMap<string, string>;
}

/** Events would be received, but none could change a plan; or prices would be known, but no events received. */
const halfOfPayments = ({ STRIPE_WEBHOOK_SECRET, STRIPE_PRICES }: Payments): string[] => {
  if (STRIPE_WEBHOOK_SECRET === undefined && STRIPE_PRICES.size > 0)
    return ['STRIPE_WEBHOOK_SECRET must be set where STRIPE_PRICES is; it is not set'];
  if (STRIPE_WEBHOOK_SECRET !== undefined && STRIPE_PRICES.size === 0)
    return [
      'STRIPE_PRICES must be set where STRIPE_WEBHOOK_SECRET is, such as price_1AbC=growth,price_1DeF=business; it is not set',
    ];
  return [];
};

interface Model {
  AI_URL?: string | undefined;
  AI_MODEL?: string | undefined;
}

const halfOfModel = ({ AI_URL, AI_MODEL }: Model): string[] => {
  if ((AI_URL === undefined) === (AI_MODEL === undefined)) return [];
  const [given, missing] = AI_MODEL === undefined ? ['AI_URL', 'AI_MODEL'] : ['AI_MODEL', 'AI_URL'];
  return [
    `${missing} must be set where ${given} is: a server and the name of its model are needed; it is not set`,
  ];
};

/** @returns one line per contradiction */
export const contradictions = (
  settings: Ages & Ports & ProxyProtocol & Payments & Model,
  isGiven: IsGiven,
): string[] => [
  ...staleBeforeFresh(settings, isGiven),
  ...samePorts(settings, isGiven),
  ...halfOfTls(settings),
  ...plainHostWithTls(settings, isGiven),
  ...proxyProtocolOfStrangers(settings),
  ...proxyProtocolBeforeTls(settings),
  ...halfOfPayments(settings),
  ...halfOfModel(settings),
];
