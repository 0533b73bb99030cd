/** Bitly: the pages of GET /v4/groups/{group_guid}/bitlinks, and the CSV of its list of links. */
import { aliasesPerCodeMax } from '#schemas/aliases.ts';
import type { Vendor } from '../link.ts';
import { distinctLinks, isTrue, listOf, shortLinkOf } from '../short-links.ts';

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
        // One more than a code has: the others are left out with a warning.
        ...[...new Set(listOf(cells('custom_bitlinks'), ','))].slice(0, aliasesPerCodeMax + 1),
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
