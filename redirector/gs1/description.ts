/** The resolver's description of itself at `/.well-known/gs1resolver`. */
import { primaryKeys } from '#shared/gs1/digital-link/key-path.ts';
import { jsonPage } from '../pages/layout.ts';
import type { Page } from '../pages/page.ts';

export const descriptionPath = '/.well-known/gs1resolver';

/** @param root the origin of the Digital Links */
export const createDescription = (root: string): Page =>
  jsonPage('200 OK', {
    name: 'Waymark',
    resolverRoot: root,
    supportedPrimaryKeys: primaryKeys,
    linkTypeDefaultCanBeLinkset: false,
  });
