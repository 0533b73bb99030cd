/** Hosted pages: the database parts shared by landing pages, forms and menus. */
import type { Feature } from '../../framework/feature.ts';

export const hosted: Feature = {
  name: 'hosted',
  tables: ['hosted_pages', 'hosted_page_counts', 'hosted_page_views', 'hosted_page_view_writers'],
};
