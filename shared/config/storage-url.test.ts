import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadSettings } from '../config.ts';

const storageOf = (STORAGE_URL?: string) =>
  loadSettings({ DATA_DIR: '/data', ...(STORAGE_URL !== undefined && { STORAGE_URL }) }).storage;

describe('STORAGE_URL', () => {
  test('is a folder in DATA_DIR by default', () => {
    expect(storageOf()).toEqual({ kind: 'file', folder: path.resolve('/data/storage'), isDefault: true });
  });

  test.each(['file:///srv/my%20files', 'file:/srv/my%20files/'])('%s is a folder', (url) => {
    expect(storageOf(url)).toEqual({ kind: 'file', folder: '/srv/my files', isDefault: false });
  });

  test('is a bucket with its credentials', () => {
    expect(storageOf('s3://AK:se%2Fcret@s3.eu-central-1.amazonaws.com/pictures/waymark/one')).toEqual({
      kind: 's3',
      origin: 'https://s3.eu-central-1.amazonaws.com',
      region: 'eu-central-1',
      bucket: 'pictures',
      prefix: 'waymark/one/',
      accessKeyId: 'AK',
      secretAccessKey: 'se/cret',
    });
    expect(storageOf('s3://a:b@minio:9000/pictures?tls=false')).toMatchObject({
      origin: 'http://minio:9000',
      region: 'us-east-1',
      prefix: '',
    });
    expect(storageOf('s3://a:b@host/pictures?region=auto')).toMatchObject({
      origin: 'https://host',
      region: 'auto',
    });
  });

  test.each([
    ['/var/storage', '"/var/storage"'],
    ['file:storage', '"file:storage"'],
    ['file://server/share', '"file://server/share"'],
    ['file:///', '"file:///"'],
    ['file:///%ff', '"file:///%ff"'],
    ['s3://pictures', '"s3://pictures"'],
    ['s3://host/pictures', '"s3://host/pictures"'],
    ['s3://a:hunter2@host', '"s3://…@host"'],
    ['s3://a:hunter2@host/b', '"s3://…@host/b"'],
    ['s3://a@host/pictures', '"s3://…@host/pictures"'],
    ['s3://a:hunter2@host/Pictures', '"s3://…@host/Pictures"'],
    ['s3://a:hunter2@host/pictures/../..', '"s3://…@host"'],
    ['s3://a:hunter2@host/pictures/a b', '"s3://…@host/pictures/a%20b"'],
    ['s3://a:hunter2@host/pictures?secret=hunter2', '"s3://…@host/pictures?…"'],
    ['s3://a:hunter2@host/pictures?tls=no', '"s3://…@host/pictures?…"'],
    ['s3://a:hunter2%@host/pictures', '"s3://…@host/pictures"'],
    ['s3://a:hun/ter2@host/pictures', 'a text with "@" that is not a URL'],
    ['s3://a:12/hunter2@host/pictures', 'a text with "@" that is not a URL'],
  ])('%s is refused with a line that names it, and without a secret', (url, given) => {
    let line = '';
    try {
      storageOf(url);
    } catch (error) {
      line = (error as Error).message;
    }
    expect(line).toMatch(/^STORAGE_URL must be a folder such as [^\n]+, or a bucket such as [^\n]+$/);
    expect(line).not.toContain('hunter2');
    expect(line.split('; given: ')[1]).toBe(given);
  });

  test.each([
    ['s3://a:b@127.0.0.1:1/b', /: the name of a bucket has 3 to 63 lower-case letters/],
    ['s3://a:b@host/Pictures', /: the name of a bucket has 3 to 63 lower-case letters/],
    ['s3://a:b@host', /: the path begins with the bucket, and is empty/],
    ['s3:///pictures', /: the host is missing/],
  ])('%s is refused for what is wrong with it', (url, reason) => {
    expect(() => storageOf(url)).toThrow(reason);
  });
});
