import type { Words } from './words.ts';

export const de: Words = {
  page: {
    socials: 'Weitere Kanäle',
    website: 'Website',
    email: 'E-Mail',
  },
  menu: {
    sections: 'Abschnitte der Speisekarte',
    filter: 'Filter',
    close: 'Schließen',
    diet: 'Ernährung',
    without: 'Gerichte ausblenden mit',
    caution:
      'Allergene wie auf der Karte angegeben. Ein Gericht, bei dem ein Allergen nicht angegeben ist, kann es trotzdem enthalten: Bitte fragen Sie das Personal.',
    apply: 'Gerichte anzeigen',
    clear: 'Filter löschen',
    count: '{shown} von {total} angezeigt',
    nothingFound: 'Kein Gericht passt zu diesen Filtern.',
    empty: 'Auf dieser Karte steht noch nichts.',
    allergens: 'Allergene:',
    separator: ', ',
    online: 'Diese Karte im Internet:',
    allergenNames: {
      gluten: 'Gluten',
      dairy: 'Milch',
      eggs: 'Eier',
      nuts: 'Schalenfrüchte',
      peanuts: 'Erdnüsse',
      soy: 'Soja',
      fish: 'Fisch',
      shellfish: 'Krebstiere',
      sesame: 'Sesam',
      celery: 'Sellerie',
      mustard: 'Senf',
      sulphites: 'Sulfite',
      lupin: 'Lupinen',
      molluscs: 'Weichtiere',
    },
    dietNames: {
      vegetarian: 'Vegetarisch',
      vegan: 'Vegan',
      'gluten-free': 'Glutenfrei',
      'dairy-free': 'Milchfrei',
      halal: 'Halal',
      kosher: 'Koscher',
      spicy: 'Scharf',
    },
  },
  status: {
    unknown: {
      title: 'Diese Seite gibt es nicht',
      lead: 'Vielleicht wurde sie entfernt, oder die Adresse ist unvollständig.',
    },
    paused: {
      title: 'Diese Seite macht Pause',
      lead: 'Sie ist zurzeit abgeschaltet. Bitte versuchen Sie es später noch einmal.',
    },
    badRequest: {
      title: 'Das hat nicht geklappt',
      lead: 'Die Adresse oder die gesendeten Daten sind nicht wie erwartet. Bitte gehen Sie zurück und versuchen Sie es noch einmal.',
    },
    forbidden: {
      title: 'Das wurde nicht angenommen',
      lead: 'Es wurde von einer anderen Website gesendet. Bitte öffnen Sie die Seite selbst und versuchen Sie es noch einmal.',
    },
    methodNotAllowed: {
      title: 'Das hat nicht geklappt',
      lead: 'An diese Seite kann nichts gesendet werden. Bitte gehen Sie zurück und versuchen Sie es noch einmal.',
    },
    tooLarge: {
      title: 'Das ist zu viel auf einmal',
      lead: 'Die gesendeten Daten sind größer, als diese Seite annimmt. Bitte kürzen Sie sie und versuchen Sie es noch einmal.',
    },
    unsupported: {
      title: 'Das hat nicht geklappt',
      lead: 'Die gesendeten Daten haben ein Format, das diese Seite nicht versteht.',
    },
    rateLimited: {
      title: 'Einen Moment bitte',
      lead: 'Von Ihrem Anschluss kamen zu viele Anfragen. Bitte versuchen Sie es in einer Minute noch einmal.',
    },
    unavailable: {
      title: 'Gleich wieder da',
      lead: 'Die Seite kann gerade nicht angezeigt werden. Bitte versuchen Sie es in Kürze noch einmal.',
    },
    failed: {
      title: 'Etwas ist schiefgegangen',
      lead: 'Der Fehler liegt bei uns. Bitte versuchen Sie es in Kürze noch einmal.',
    },
  },
};
