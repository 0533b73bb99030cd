/** Menus: sections of items, which visitors can filter, at `{qr_host}/m/{menuId}`. */
import { createMenuBody, type MenuContent, updateMenuBody } from '#schemas/api/menus.ts';
import type { Feature } from '../../feature.ts';
import { bodyLimits } from '../../http/body.ts';
import { createHostedOperations } from '../hosted/operations.ts';
import { pageServingOf } from '../hosted/serving/page-serving.ts';
import { checkTags } from './check-tags.ts';
import { menuDocs } from './docs.ts';
import { menuPage } from './page/menu-page.ts';
import { menuResource } from './resource.ts';

export const menus: Feature = {
  name: 'menus',
  ids: [menuResource.ids],
  open: (services) => ({
    operations: [
      ...createHostedOperations({
        services,
        resource: menuResource,
        path: '/api/qr/menus',
        createBody: createMenuBody,
        updateBody: updateMenuBody,
        bodyLimit: bodyLimits.menu,
        check: (sent, contentOf) => checkTags(sent, contentOf as () => MenuContent),
        docs: menuDocs,
      }),
      pageServingOf(services).operationFor(menuPage),
    ],
  }),
};
