/** Dub: the CSV of its export, whose columns its user chooses. */
import type { Vendor } from '../link.ts';
import { distinctLinks, isTrue, listOf, shortLinkOf } from '../short-links.ts';

export const dub: Vendor = {
  title: 'Dub',
  ownHosts: [
    'dub.sh',
    'dub.link',
    'dub.co',
    'chatg.pt',
    'spti.fi',
    'git.new',
    'cal.link',
    'amzn.id',
    'ggl.link',
    'fig.page',
  ],
  tellTales: [['Short link', 'Destination URL']],
  columns: [
    ...['Short link', 'Destination URL', 'Clicks', 'Created at'],
    ...['Link ID', 'Updated at', 'Tags', 'Archived', 'Title'],
  ],
  read: (cells) => ({
    shortLinks: distinctLinks([shortLinkOf(cells('Short link'))]),
    destination: cells('Destination URL'),
    title: cells('Title'),
    tags: listOf(cells('Tags'), ','),
    archived: isTrue(cells('Archived')),
    createdAt: cells('Created at'),
    scans: cells('Clicks'),
    externalId: cells('Link ID'),
  }),
};
