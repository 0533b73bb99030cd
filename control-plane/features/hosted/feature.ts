/** Hosted pages: what landing pages, forms and menus have in common in the database. */
import type { Feature } from '../../feature.ts';

export const hosted: Feature = {
  name: 'hosted',
  tables: ['hosted_pages', 'hosted_page_counts', 'hosted_page_views', 'hosted_page_view_writers'],
};
