/** Kutt: the pages of GET /api/v2/links. */
import { instantOf } from '../instants.ts';
import type { Cells, LinkRefusal, Vendor } from '../link.ts';
import { distinctLinks, hostOf, isTrue } from '../short-links.ts';

const refusalOf = (cells: Cells): LinkRefusal | undefined => {
  if (isTrue(cells('banned')))
    return { reason: 'banned', code: 'UNPROCESSABLE', message: 'The link is banned in Kutt' };
  if (isTrue(cells('password')))
    return {
      reason: 'protected',
      code: 'UNPROCESSABLE',
      message: 'The link has a password, which Kutt does not hand out: create its code with a new one',
    };
  const expires = instantOf(cells('expire_in'));
  if (expires && expires.getTime() <= Date.now())
    return {
      reason: 'expired',
      code: 'UNPROCESSABLE',
      message: `The link has expired at ${expires.toISOString()}`,
    };
  return undefined;
};

/** Older releases answer a text, newer ones an object with the URL. */
const hostOfLink = (cell: string): string | null => hostOf(/"url":"([^"]*)"/.exec(cell)?.[1] ?? cell);

export const kutt: Vendor = {
  title: 'Kutt',
  ownHosts: ['kutt.it', 'kutt.to'],
  tellTales: [['address', 'target']],
  columns: [
    ...['id', 'address', 'target', 'description', 'created_at', 'visit_count', 'domain', 'link'],
    ...['password', 'banned', 'expire_in'],
  ],
  read(cells) {
    const refusal = refusalOf(cells);
    return {
      shortLinks: distinctLinks([
        cells('address') === ''
          ? undefined
          : { slug: cells('address'), host: hostOf(cells('domain')) ?? hostOfLink(cells('link')) },
      ]),
      destination: cells('target'),
      title: cells('description'),
      createdAt: cells('created_at'),
      scans: cells('visit_count'),
      externalId: cells('id'),
      expiresAt: cells('expire_in'),
      ...(refusal && { refusal }),
    };
  },
};
