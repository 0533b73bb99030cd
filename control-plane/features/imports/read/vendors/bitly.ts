/** Bitly: the pages of GET /v4/groups/{group_guid}/bitlinks, and the CSV of its list of links. */
import type { Vendor } from '../link.ts';
import { distinctLinks, isTrue, listOf, shortLinkOf } from '../short-links.ts';

/** More are not looked at: ten times what a code has, of which more than it has leave a warning. */
const linksReadMax = 200;

export const bitly: Vendor = {
  title: 'Bitly',
  ownHosts: ['bit.ly', 'bitly.com', 'j.mp', 'bitly.is'],
  tellTales: [
    ['long_url', 'link'],
    ['long_url', 'id'],
    ['long_url', 'bitlink'],
    ['Destination URL', 'Short link'],
  ],
  columns: [
    ...['id', 'link', 'custom_bitlinks', 'long_url', 'title', 'tags', 'archived', 'created_at'],
    ...['bitlink', 'custom link', 'Destination URL', 'Short link', 'Clicks'],
  ],
  read: (cells) => ({
    shortLinks: distinctLinks(
      [
        cells('link') || cells('id') || cells('bitlink') || cells('Short link'),
        cells('custom link'),
        ...[...new Set(listOf(cells('custom_bitlinks'), ','))].slice(0, linksReadMax),
      ].map(shortLinkOf),
    ),
    destination: cells('long_url') || cells('Destination URL'),
    title: cells('title'),
    tags: listOf(cells('tags'), ','),
    archived: isTrue(cells('archived')),
    createdAt: cells('created_at'),
    scans: cells('Clicks'),
    externalId: cells('id'),
  }),
};
