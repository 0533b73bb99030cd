/** The documentation of the drafts. */
import { draftedLooks, draftedMenu, draftedPage } from '#schemas/api/ai.ts';
import type { OperationDocs } from '../../api/http/operation.ts';

const tag = 'Drafts by a model';

const about =
  'Nothing is stored: look at the draft, and send it on. The answer of the model is checked like any input of yours, and ' +
  'corrected once. What is sent to the model is in the guide.';

const refusals = {
  422: 'A field has the right type but an invalid value, or the model refuses the request',
  502: 'The answer of the model cannot be used, even after a correction',
  503: 'No model is configured, its server does not answer, or too many drafts wait; retry after `Retry-After` seconds',
  504: 'The model did not answer in time',
};

const refusalExamples = {
  502: {
    error: 'The answer of the model cannot be used: sections[0].items is required',
    code: 'BAD_GATEWAY',
  },
  503: {
    error: 'No model is configured: the operator of this service has not set AI_URL',
    code: 'UNAVAILABLE',
  },
  504: { error: 'The model did not answer in time; send a shorter text', code: 'GATEWAY_TIMEOUT' },
};

const common = { tag, refusals, refusalExamples };

const furtherLimit = 'four drafts of the workspace are waiting';

const theme = { name: 'paper' };

const exampleStyle = {
  shape: 'square',
  dotsOptions: { type: 'rounded', color: '#5b2a12' },
  cornersSquareOptions: { type: 'extra-rounded', color: '#5b2a12' },
  cornersDotOptions: { type: 'dot', color: '#8a3d17' },
  backgroundOptions: { color: '#fff7ea' },
};

const looks = ['Crust', 'Flour', 'Oven'].map((name) => ({ name, style: exampleStyle, changes: null }));

export const draftLooksDocs: OperationDocs = {
  id: 'draftLooks',
  ...common,
  furtherLimit,
  summary: 'Draft three looks of a code',
  description:
    'Returns three looks by your words, by your logo, or by both. Each is proven: a reader has read a code of yours in it, ' +
    'with the logo if you sent one. A look that no reader read is replaced by the nearest one that was read, and `changes` ' +
    `says how. ${about}`,
  requestExamples: {
    words: { summary: 'By words', value: { words: 'a bakery, warm and rustic' } },
  },
  responses: {
    200: { description: 'The looks', schema: draftedLooks, example: { looks, warnings: [] } },
  },
};

export const draftPageDocs: OperationDocs = {
  id: 'draftLandingPage',
  ...common,
  furtherLimit,
  summary: 'Draft a landing page',
  description:
    'Returns a landing page that is made of your text: the body of `POST /api/qr/landing-pages`. Links, addresses and ' +
    `numbers that your text does not have are left out, and so are pictures; \`warnings\` says so. ${about}`,
  requestExamples: {
    bakery: {
      summary: 'A bakery',
      value: {
        text: 'Luna bakery, sourdough since 1987. Order at https://luna.example/order or call +49 30 1234567.',
      },
    },
  },
  responses: {
    200: {
      description: 'The draft',
      schema: draftedPage,
      example: {
        draft: {
          name: 'Luna bakery',
          headline: 'Luna bakery',
          subheadline: 'Sourdough since 1987',
          buttons: [{ id: 'order', label: 'Order', destination: 'https://luna.example/order' }],
          theme,
        },
        warnings: [],
      },
    },
  },
};

export const draftMenuDocs: OperationDocs = {
  id: 'draftMenu',
  ...common,
  furtherLimit,
  summary: 'Draft a menu',
  description:
    'Returns a menu that is made of your price list: the body of `POST /api/qr/menus`. Prices and links that your text does ' +
    `not have are left out, and \`warnings\` says so. Check allergens and diets yourself. ${about}`,
  requestExamples: {
    list: { summary: 'A price list', value: { text: 'Starters: tomato soup 6.50, bruschetta (gluten) 7' } },
  },
  responses: {
    200: {
      description: 'The draft',
      schema: draftedMenu,
      example: {
        draft: {
          name: 'Menu',
          sections: [
            {
              name: 'Starters',
              items: [
                {
                  id: 'tomato-soup',
                  name: 'Tomato soup',
                  price: '6.50',
                  allergens: [],
                  dietary: [],
                  customTags: {},
                },
              ],
            },
          ],
        },
        warnings: [],
      },
    },
  },
};
