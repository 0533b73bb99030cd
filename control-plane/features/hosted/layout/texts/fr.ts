import type { Words } from './words.ts';

export const fr: Words = {
  page: {
    socials: 'Nous suivre',
    website: 'Site web',
    email: 'E-mail',
  },
  menu: {
    sections: 'Rubriques de la carte',
    filter: 'Filtrer',
    close: 'Fermer',
    diet: 'Régime',
    without: 'Masquer les plats indiquant',
    caution:
      'Les allergènes sont ceux indiqués sur la carte. Un plat pour lequel un allergène n’est pas indiqué peut malgré tout en contenir : demandez au personnel.',
    apply: 'Afficher les plats',
    clear: 'Effacer les filtres',
    count: '{shown} sur {total} affichés',
    nothingFound: 'Aucun plat ne correspond à ces filtres.',
    empty: 'Cette carte est encore vide.',
    allergens: 'Allergènes :',
    separator: ', ',
    online: 'Cette carte en ligne :',
    allergenNames: {
      gluten: 'Gluten',
      dairy: 'Lait',
      eggs: 'Œufs',
      nuts: 'Fruits à coque',
      peanuts: 'Arachides',
      soy: 'Soja',
      fish: 'Poisson',
      shellfish: 'Crustacés',
      sesame: 'Sésame',
      celery: 'Céleri',
      mustard: 'Moutarde',
      sulphites: 'Sulfites',
      lupin: 'Lupin',
      molluscs: 'Mollusques',
    },
    dietNames: {
      vegetarian: 'Végétarien',
      vegan: 'Végan',
      'gluten-free': 'Sans gluten',
      'dairy-free': 'Sans lait',
      halal: 'Halal',
      kosher: 'Casher',
      spicy: 'Épicé',
    },
  },
  status: {
    unknown: {
      title: 'Cette page n’existe pas',
      lead: 'Elle a peut-être été supprimée, ou l’adresse est incomplète.',
    },
    paused: {
      title: 'Cette page est en pause',
      lead: 'Elle est désactivée pour le moment. Merci de réessayer plus tard.',
    },
    badRequest: {
      title: 'Cela n’a pas fonctionné',
      lead: 'L’adresse ou les données envoyées ne sont pas valables. Merci de revenir en arrière et de réessayer.',
    },
    forbidden: {
      title: 'L’envoi n’a pas été accepté',
      lead: 'Il provient d’un autre site. Merci d’ouvrir la page elle-même et de réessayer.',
    },
    methodNotAllowed: {
      title: 'Cela n’a pas fonctionné',
      lead: 'Rien ne peut être envoyé à cette page. Merci de revenir en arrière et de réessayer.',
    },
    tooLarge: {
      title: 'C’est trop à la fois',
      lead: 'L’envoi dépasse la taille acceptée par cette page. Merci de le raccourcir et de réessayer.',
    },
    unsupported: {
      title: 'Cela n’a pas fonctionné',
      lead: 'Cette page ne comprend pas le format des données envoyées.',
    },
    rateLimited: {
      title: 'Un instant, s’il vous plaît',
      lead: 'Votre connexion a envoyé trop de demandes. Merci de réessayer dans une minute.',
    },
    unavailable: {
      title: 'De retour dans un instant',
      lead: 'La page ne peut pas être affichée pour le moment. Merci de réessayer bientôt.',
    },
    failed: {
      title: 'Une erreur s’est produite',
      lead: 'Le problème vient de chez nous. Merci de réessayer bientôt.',
    },
  },
};
