import type { Words } from './words.ts';

export const en: Words = {
  page: {
    socials: 'Elsewhere',
    website: 'Website',
    email: 'Email',
  },
  menu: {
    sections: 'Sections of the menu',
    filter: 'Filter',
    close: 'Close',
    diet: 'Diet',
    without: 'Hide dishes that list',
    caution:
      'Allergens are as the menu lists them. A dish that is not listed as containing an allergen may still contain it: please ask the staff.',
    apply: 'Show dishes',
    clear: 'Clear filters',
    count: 'Showing {shown} of {total}',
    nothingFound: 'No dish matches these filters.',
    empty: 'There is nothing on this menu yet.',
    allergens: 'Allergens:',
    separator: ', ',
    online: 'This menu online:',
    allergenNames: {
      gluten: 'Gluten',
      dairy: 'Dairy',
      eggs: 'Eggs',
      nuts: 'Nuts',
      peanuts: 'Peanuts',
      soy: 'Soy',
      fish: 'Fish',
      shellfish: 'Shellfish',
      sesame: 'Sesame',
      celery: 'Celery',
      mustard: 'Mustard',
      sulphites: 'Sulphites',
      lupin: 'Lupin',
      molluscs: 'Molluscs',
    },
    dietNames: {
      vegetarian: 'Vegetarian',
      vegan: 'Vegan',
      'gluten-free': 'Gluten-free',
      'dairy-free': 'Dairy-free',
      halal: 'Halal',
      kosher: 'Kosher',
      spicy: 'Spicy',
    },
  },
  status: {
    unknown: {
      title: 'This page does not exist',
      lead: 'It may have been removed, or the address is not complete.',
    },
    paused: {
      title: 'This page is paused',
      lead: 'Its owner has switched it off for now. Please try again later.',
    },
    badRequest: {
      title: 'This did not work',
      lead: 'The address or what was sent is not as expected. Please go back and try again.',
    },
    forbidden: {
      title: 'This was not accepted',
      lead: 'It was sent from another site. Please open the page itself and try again.',
    },
    methodNotAllowed: {
      title: 'This did not work',
      lead: 'Nothing can be sent to this page. Please go back and try again.',
    },
    tooLarge: {
      title: 'This is too much at once',
      lead: 'What was sent is larger than this page accepts. Please shorten it and try again.',
    },
    unsupported: {
      title: 'This did not work',
      lead: 'What was sent has a form that this page does not understand.',
    },
    rateLimited: {
      title: 'One moment, please',
      lead: 'There were too many requests from your connection. Please try again in a minute.',
    },
    unavailable: {
      title: 'Back in a moment',
      lead: 'The page cannot be shown right now. Please try again shortly.',
    },
    failed: {
      title: 'Something went wrong',
      lead: 'The fault is on our side. Please try again shortly.',
    },
  },
};
