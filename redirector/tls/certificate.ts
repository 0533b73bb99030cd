/**
 * The certificate that TLS_CERT and TLS_KEY name, checked before uWebSockets.js is given it: that says of no fault where it is.
 *
 * A certificate that cannot be served stops the start. One that phones may refuse is served with a warning: a renewal that
 * failed must not stop redirects, and the clock may be what is wrong.
 */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { ConfigError } from '#shared/config.ts';
import { messageOf } from '#shared/errors.ts';
import { readPemFile } from './pem-file.ts';

/** The paths in TLS_CERT and TLS_KEY. */
export interface TlsFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** What the files hold. Never to be logged. */
export interface PemTexts {
  readonly cert: string;
  readonly key: string;
}

export interface Certificate {
  readonly files: TlsFiles;
  readonly pem: PemTexts;
  /** SHA-256 of the certificate without its chain, as hexadecimal pairs. */
  readonly fingerprint: string;
  /** Unix time. */
  readonly expiresAtMs: number;
  /** What phones may refuse, and what others may read. */
  readonly warnings: readonly string[];
}

/** Public chains have two to four. */
const chainLengthMax = 10;
const certificateBlock = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

const parseCertificate = (block: string, place: number, path: string): X509Certificate => {
  try {
    return new X509Certificate(block);
  } catch (error) {
    throw new ConfigError(
      `TLS_CERT must hold certificates in PEM; number ${place} cannot be read (${messageOf(error)}); given: ${JSON.stringify(path)}`,
    );
  }
};

/** @returns the certificate, then those of its chain, in the order of the file */
const parseChain = (text: string, path: string): [X509Certificate, ...X509Certificate[]] => {
  const blocks = text.match(certificateBlock) ?? [];
  if (blocks.length > chainLengthMax)
    throw new ConfigError(
      `TLS_CERT must have at most ${chainLengthMax} certificates, and has ${blocks.length}; given: ${JSON.stringify(path)}`,
    );
  const [leaf, ...issuers] = blocks.map((block, index) => parseCertificate(block, index + 1, path));
  if (!leaf)
    throw new ConfigError(
      `TLS_CERT must be a PEM file with "-----BEGIN CERTIFICATE-----"; given: ${JSON.stringify(path)}`,
    );
  return [leaf, ...issuers];
};

const parseKey = (text: string, path: string): KeyObject => {
  const given = `given: ${JSON.stringify(path)}`;
  if (/BEGIN ENCRYPTED PRIVATE KEY|Proc-Type: 4,ENCRYPTED/.test(text))
    throw new ConfigError(
      `TLS_KEY must be a key without a passphrase, since nobody is there to type it at a restart; ${given}`,
    );
  try {
    return createPrivateKey(text);
  } catch (error) {
    throw new ConfigError(
      `TLS_KEY must be a PEM file with "-----BEGIN PRIVATE KEY-----" (${messageOf(error)}); ${given}`,
    );
  }
};

const day = (text: string): string => new Date(text).toISOString().slice(0, 10);

const timeWarnings = (leaf: X509Certificate, nowMs: number): string[] => {
  if (nowMs >= Date.parse(leaf.validTo)) return [`TLS_CERT expired on ${day(leaf.validTo)}: renew it`];
  if (nowMs < Date.parse(leaf.validFrom))
    return [`TLS_CERT is valid from ${day(leaf.validFrom)} on: is the clock of this machine right?`];
  return [];
};

const curves: ReadonlySet<unknown> = new Set(['prime256v1', 'secp384r1']);

/** Browsers take keys of P-256, P-384 and RSA (CA/Browser Forum, Baseline Requirements, 6.1.5). */
const kindWarnings = ({ publicKey }: X509Certificate): string[] => {
  const { asymmetricKeyType = 'unknown', asymmetricKeyDetails: { namedCurve, modulusLength = 0 } = {} } =
    publicKey;
  const isKnown = asymmetricKeyType === 'rsa' ? modulusLength >= 2048 : curves.has(namedCurve);
  if (isKnown) return [];
  const kind = [asymmetricKeyType, namedCurve, modulusLength || undefined].filter(Boolean).join(' ');
  return [`TLS_CERT has a key that browsers refuse (${kind}): use P-256, or RSA of 2048 bits`];
};

const nameWarnings = (leaf: X509Certificate, qrHost: string): string[] => {
  const host = new URL(qrHost).hostname.replace(/^\[(.*)\]$/, '$1');
  const isFor = isIP(host) === 0 ? leaf.checkHost(host) : leaf.checkIP(host);
  if (isFor !== undefined) return [];
  const names = leaf.subjectAltName?.slice(0, 200) ?? 'none';
  return [`TLS_CERT is not for ${host}, the name in QR_HOST, so that phones refuse it; its names: ${names}`];
};

const chainWarnings = ([leaf, ...issuers]: readonly X509Certificate[]): string[] => {
  const chain = [leaf!, ...issuers];
  const isOwn = leaf!.checkIssued(leaf!);
  if (issuers.length === 0 && !isOwn)
    return [
      'TLS_CERT has one certificate and not those of its issuers, so that phones may refuse it: use the full chain',
    ];
  const broken = chain.findIndex((each, index) => index > 0 && !chain[index - 1]!.checkIssued(each));
  if (broken === -1) return [];
  return [`TLS_CERT must be in order: number ${broken + 1} has not issued number ${broken}`];
};

/**
 * @param files where the texts were read
 * @param qrHost the origin in QR_HOST
 * @throws {ConfigError} naming the variable whose text cannot be used
 */
export const checkCertificate = (
  pem: PemTexts,
  files: TlsFiles,
  qrHost: string,
  nowMs = Date.now(),
): Certificate => {
  const chain = parseChain(pem.cert, files.certFile);
  const [leaf] = chain;
  const key = parseKey(pem.key, files.keyFile);
  if (!leaf.checkPrivateKey(key))
    throw new ConfigError(
      `TLS_KEY must be the key of the first certificate in TLS_CERT; given: ${JSON.stringify(files.keyFile)} for ${JSON.stringify(files.certFile)}`,
    );
  return {
    files,
    pem,
    fingerprint: leaf.fingerprint256,
    expiresAtMs: Date.parse(leaf.validTo),
    warnings: [
      ...timeWarnings(leaf, nowMs),
      ...kindWarnings(leaf),
      ...nameWarnings(leaf, qrHost),
      ...chainWarnings(chain),
    ],
  };
};

/**
 * @param qrHost the origin in QR_HOST
 * @throws {ConfigError} naming the variable whose file cannot be used
 */
export const readCertificate = (files: TlsFiles, qrHost: string, nowMs = Date.now()): Certificate => {
  const { text: cert } = readPemFile('TLS_CERT', files.certFile);
  const { text: key, isPublic } = readPemFile('TLS_KEY', files.keyFile);
  const certificate = checkCertificate({ cert, key }, files, qrHost, nowMs);
  if (!isPublic) return certificate;
  const warning = `TLS_KEY can be read by every user of this machine: chmod 600 ${files.keyFile}`;
  return { ...certificate, warnings: [...certificate.warnings, warning] };
};
