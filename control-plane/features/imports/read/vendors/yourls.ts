/**
 * YOURLS: its table `yourls_url` as CSV or as JSON of its API, and the CSV of the plugin YOURLS-Import-Export, which writes
 * `source,target,hits`.
 */
import type { Vendor } from '../link.ts';
import { distinctLinks, shortLinkOf, withoutSlashes } from '../short-links.ts';

/** What phpMyAdmin and mysql write for NULL. */
const known = (cell: string): string => (/^(NULL|\\N)$/.test(cell) ? '' : cell);

export const yourls: Vendor = {
  title: 'YOURLS',
  ownHosts: [],
  tellTales: [
    ['keyword', 'url'],
    ['shorturl', 'url', 'clicks'],
    ['source', 'target', 'hits'],
  ],
  columns: ['keyword', 'url', 'title', 'timestamp', 'ip', 'clicks', 'source', 'target', 'hits', 'shorturl'],
  columnsWithoutHeader: ['keyword', 'url', 'title', 'timestamp', 'ip', 'clicks'],
  notes: ['YOURLS writes dates without a time zone: they were read as UTC.'],
  read(cells) {
    const keyword = cells('keyword') || withoutSlashes(cells('source'));
    return {
      shortLinks: distinctLinks([
        keyword === '' ? shortLinkOf(cells('shorturl')) : { slug: keyword, host: null },
      ]),
      destination: cells('url') || cells('target'),
      title: known(cells('title')),
      createdAt: known(cells('timestamp')),
      scans: known(cells('clicks') || cells('hits')),
    };
  },
};
