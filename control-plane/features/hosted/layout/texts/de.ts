import type { Words } from './words.ts';

export const de: Words = {
  page: {
    socials: 'Weitere Kanäle',
    website: 'Website',
    email: 'E-Mail',
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
