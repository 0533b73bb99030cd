/**
 * STORAGE_URL: a folder (`file:///var/lib/waymark/storage`), or a bucket with its credentials
 * (`s3://<access key>:<secret key>@s3.eu-central-1.amazonaws.com/bucket/folder?region=eu-central-1`). Characters of the
 * keys that end a part of a URL, such as `/`, are percent-encoded.
 */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

export interface FileStorageSettings {
  kind: 'file';
  /** An absolute path. */
  folder: string;
  /** Whether it is the default, in DATA_DIR. */
  isDefault: boolean;
}

export interface S3StorageSettings {
  kind: 's3';
  /** The origin of the service. */
  origin: string;
  region: string;
  bucket: string;
  /** The prefix of every key: empty, or ending with `/`. */
  prefix: string;
  accessKeyId: string;
  secretAccessKey: string;
}

export type StorageSettings = FileStorageSettings | S3StorageSettings;

const accepted =
  'must be a folder such as file:///var/lib/waymark/storage, or a bucket such as ' +
  's3://<access key>:<secret key>@s3.eu-central-1.amazonaws.com/bucket';

/** The default region: services without regions accept it. */
const regionDefault = 'us-east-1';

/** The region in an Amazon host name. */
const regionOf = (host: string): string | undefined =>
  /^s3[.-](?:dualstack\.)?([a-z]{2}[a-z0-9-]*-\d)\.amazonaws\.com(?:\.cn)?$/.exec(host)?.[1];

const readFolder = (text: string): FileStorageSettings | string => {
  // A URL parser reads `file:storage` as `/storage`, but a reader as a folder next to the program.
  if (!/^file:(\/(?!\/)|\/\/\/)/.test(text)) return `${accepted}: the folder has an absolute path`;
  const folder = path.resolve(fileURLToPath(text));
  return folder === '/'
    ? `${accepted}: the root is no folder of its own`
    : { kind: 'file', folder, isDefault: false };
};

/** @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html */
const bucketName = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const prefixPath = /^([A-Za-z0-9][A-Za-z0-9._-]{0,99}\/){0,4}$/;
const parameters: Readonly<Record<string, RegExp>> = {
  region: /^[a-z0-9-]{1,40}$/,
  tls: /^(true|false)$/,
};

const whyQueryRefused = (query: URLSearchParams): string | undefined => {
  for (const [name, value] of query) {
    const wanted = parameters[name];
    if (!wanted) return 'the query has region and tls, and nothing else';
    if (!wanted.test(value)) return name === 'tls' ? 'tls is true or false' : 'region is a name of a region';
  }
  return undefined;
};

const readBucket = (url: URL): S3StorageSettings | string => {
  const [bucket = '', ...folders] = url.pathname.slice(1).split('/').filter(Boolean);
  const prefix = folders.map((folder) => `${folder}/`).join('');
  const query = whyQueryRefused(url.searchParams);
  if (!url.hostname) return `${accepted}: the host is missing`;
  if (bucket === '') return `${accepted}: the path begins with the bucket, and is empty`;
  if (!bucketName.test(bucket))
    return `${accepted}: the name of a bucket has 3 to 63 lower-case letters, digits, "." and "-", and begins and ends with a letter or digit`;
  if (!prefixPath.test(prefix))
    return `${accepted}: a folder of the bucket has letters, digits, ".", "_" and "-"`;
  if (!url.username || !url.password) return `${accepted}: an access key and a secret key are needed`;
  if (query !== undefined) return `${accepted}: ${query}`;
  const scheme = url.searchParams.get('tls') === 'false' ? 'http' : 'https';
  return {
    kind: 's3',
    origin: new URL(`${scheme}://${url.host}`).origin,
    region: url.searchParams.get('region') ?? regionOf(url.hostname) ?? regionDefault,
    bucket,
    prefix,
    accessKeyId: decodeURIComponent(url.username),
    secretAccessKey: decodeURIComponent(url.password),
  };
};

const readStorageUrl = (text: string): StorageSettings | string => {
  const url = URL.parse(text);
  try {
    if (url?.protocol === 'file:') return readFolder(text);
    if (url?.protocol === 's3:') return readBucket(url);
  } catch (error) {
    // A stray percent sign, or an invalid host.
    if (!(error instanceof URIError || error instanceof TypeError)) throw error;
  }
  return accepted;
};

/** Parses the variable's text. An issue says what is accepted, without the keys. */
export const storageUrl = z.string().transform((text, context): StorageSettings => {
  const read = readStorageUrl(text);
  if (typeof read !== 'string') return read;
  context.addIssue({ code: 'custom', message: read });
  return z.NEVER;
});
