/** Menus: how they are stored and shown. */
import { menusMax } from '#schemas/api/menus.ts';
import { prefixedIds } from '#shared/ids.ts';
import { type HostedResource, viewsOfPage } from '../hosted/resource.ts';

export const menuResource: HostedResource = {
  kind: 'menu',
  ids: prefixedIds('menu'),
  capability: 'menus',
  noun: 'menu',
  idField: 'menuId',
  countField: 'viewCount',
  listField: 'menus',
  max: menusMax,
  order: 'updated_at DESC, id DESC',
  keepsDeleted: false,
  count: viewsOfPage,
  unset: {
    headline: null,
    subheadline: null,
    footer: null,
    heroImageUrl: null,
    sections: [],
    tagCategories: [],
    theme: {},
    buttons: [],
    socials: [],
  },
};
