/** Certificates for tests, made by the openssl of the machine. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface TestCertificate {
  /** PEM files. */
  certFile: string;
  keyFile: string;
  /** The contents of `certFile`. */
  cert: string;
}

export interface CertificateOptions {
  /** DNS names. Default: localhost. */
  names?: readonly string[];
  /** Default: now. */
  validFrom?: Date;
  /** Default: in two days. */
  validTo?: Date;
  /** Arguments of `openssl genpkey`. Default: a P-256 key. */
  key?: readonly string[];
  /** The signer. Default: itself. */
  issuer?: TestCertificate;
  /** Further certificates for the file. */
  chain?: readonly TestCertificate[];
}

export const p256 = ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256'] as const;
export const rsa2048 = ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048'] as const;

const dayMs = 86_400_000;

/** In the format of `openssl ca`. */
const asn1Time = (date: Date): string => `${date.toISOString().replace(/[-:T]|\.\d+/g, '')}`;

/** `openssl ca` is the one command that takes any dates in every version. */
const configuration = (home: string, names: readonly string[]): string => `
[ca]
default_ca = own
[own]
database = ${home}/index.txt
new_certs_dir = ${home}
default_md = sha256
policy = any
rand_serial = yes
unique_subject = no
x509_extensions = extensions
[any]
commonName = supplied
[extensions]
subjectAltName = ${names.map((name) => `DNS:${name}`).join(',')}
basicConstraints = CA:TRUE
`;

/** @param folder for the files */
export const makeCertificate = async (
  folder: string,
  options: CertificateOptions = {},
): Promise<TestCertificate> => {
  const { names = ['localhost'], validFrom = new Date(), key = p256, issuer, chain = [] } = options;
  const validTo = options.validTo ?? new Date(Date.now() + 2 * dayMs);
  const home = path.join(folder, randomUUID());
  await mkdir(home);
  const file = (name: string) => path.join(home, name);
  const [certFile, keyFile] = [file('certificate.pem'), file('key.pem')];
  await writeFile(file('index.txt'), '');
  await writeFile(file('openssl.cnf'), configuration(home, names));
  await run('openssl', ['genpkey', ...key, '-out', keyFile]);
  const subject = ['-subj', `/CN=${names[0]}`];
  await run('openssl', ['req', '-new', '-key', keyFile, ...subject, '-out', file('request.pem')]);
  const signer = issuer
    ? ['-cert', issuer.certFile, '-keyfile', issuer.keyFile]
    : ['-selfsign', '-keyfile', keyFile];
  await run('openssl', [
    ...['ca', '-batch', '-notext', '-config', file('openssl.cnf'), ...signer, '-in', file('request.pem')],
    ...['-startdate', asn1Time(validFrom), '-enddate', asn1Time(validTo), '-out', certFile],
  ]);
  for (const { cert } of chain) await appendFile(certFile, cert);
  return { certFile, keyFile, cert: await readFile(certFile, 'utf8') };
};
