/** Settings that are valid one by one and contradict each other. */

interface Ages {
  RECORD_FRESH_S: number;
  RECORD_STALE_MAX_S: number;
}

const staleBeforeFresh = ({ RECORD_FRESH_S, RECORD_STALE_MAX_S }: Ages): string[] =>
  RECORD_STALE_MAX_S >= RECORD_FRESH_S
    ? []
    : [`RECORD_STALE_MAX_S must be at least RECORD_FRESH_S, ${RECORD_FRESH_S}; given: ${RECORD_STALE_MAX_S}`];

const ports = [
  'CONTROL_PLANE_PORT',
  'CONTROL_PLANE_INTERNAL_PORT',
  'REDIRECTOR_PORT',
  'REDIRECTOR_INTERNAL_PORT',
  'REDIRECTOR_HTTP10_PORT',
] as const;

type Ports = Partial<Record<(typeof ports)[number], number | undefined>>;

const samePorts = (settings: Ports): string[] =>
  ports.flatMap((first, at) =>
    ports
      .slice(at + 1)
      .filter((second) => settings[first] !== undefined && settings[first] === settings[second])
      .map((second) => `${first} and ${second} must differ; given: ${settings[first]} for both`),
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

/** A port that speaks TLS answers no plain HTTP. */
const plainHostWithTls = ({ TLS_CERT, QR_HOST }: Tls): string[] =>
  TLS_CERT === undefined || QR_HOST.startsWith('https://')
    ? []
    : [`QR_HOST must begin with https:// where TLS_CERT is set; given: ${JSON.stringify(QR_HOST)}`];

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

/** The header would come before the handshake, where nothing reads it. */
const proxyProtocolBeforeTls = ({ PROXY_PROTOCOL, TLS_CERT }: ProxyProtocol): string[] =>
  PROXY_PROTOCOL && TLS_CERT !== undefined
    ? ['PROXY_PROTOCOL must be false where TLS_CERT is set: a header ahead of TLS is not read; given: true']
    : [];

/** @returns one line for each contradiction */
export const contradictions = (settings: Ages & Ports & ProxyProtocol): string[] => [
  ...staleBeforeFresh(settings),
  ...samePorts(settings),
  ...halfOfTls(settings),
  ...plainHostWithTls(settings),
  ...proxyProtocolOfStrangers(settings),
  ...proxyProtocolBeforeTls(settings),
];
