/** Shlink: the CSV that its web client exports. */
import type { Vendor } from '../link.ts';
import { distinctLinks, hostOf, listOf, shortLinkOf } from '../short-links.ts';

export const shlink: Vendor = {
  title: 'Shlink',
  ownHosts: [],
  tellTales: [['shortCode', 'longUrl']],
  columns: ['createdAt', 'domain', 'shortCode', 'shortUrl', 'longUrl', 'title', 'tags', 'visits'],
  read: (cells) => ({
    // The code alone says what stands behind the path that Shlink itself may be served below.
    shortLinks: distinctLinks([
      cells('shortCode') === ''
        ? shortLinkOf(cells('shortUrl'))
        : { slug: cells('shortCode'), host: hostOf(cells('domain')) ?? hostOf(cells('shortUrl')) },
    ]),
    destination: cells('longUrl'),
    title: cells('title'),
    tags: listOf(cells('tags'), '|'),
    createdAt: cells('createdAt'),
    scans: cells('visits'),
  }),
};
