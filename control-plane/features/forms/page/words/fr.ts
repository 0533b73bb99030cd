import type { FormWords } from './words.ts';

export const fr: FormWords = {
  requiredNote: 'Les champs marqués d’un * sont obligatoires.',
  choose: 'Veuillez choisir',
  send: 'Envoyer',
  sending: 'Envoi en cours…',
  charactersMax: (characters) => `${characters} caractères au maximum.`,
  sent: {
    title: 'Merci !',
    lead: 'Vos réponses nous sont bien parvenues.',
    again: 'Remplir à nouveau le formulaire',
  },
  check: 'Veuillez vérifier vos réponses',
  faults: {
    required: 'Veuillez remplir ce champ.',
    chooseOne: 'Veuillez choisir une option.',
    tick: 'Veuillez cocher cette case.',
    email: 'Veuillez saisir une adresse e-mail telle que nom@example.com.',
    phone: 'Veuillez saisir un numéro de téléphone tel que +33 1 23 45 67 89.',
    option: 'Cette option n’existe plus. Veuillez en choisir une autre.',
    several: 'Veuillez ne donner qu’une seule réponse.',
    tooLong: (max, characters) => `Veuillez ne pas dépasser ${max} caractères. Il y en a ${characters}.`,
  },
  notices: {
    tooFast: 'C’était rapide. Veuillez relire vos réponses et les envoyer à nouveau.',
    trap: 'Un champ caché était rempli, comme le font les programmes. Il est maintenant vide : veuillez renvoyer vos réponses.',
    expired:
      'Cette page est restée ouverte longtemps. Vos réponses sont toujours là : veuillez les renvoyer.',
    changed:
      'Ce formulaire a changé depuis que vous l’avez ouvert. Veuillez relire vos réponses et les renvoyer.',
    used: 'D’autres réponses ont déjà été envoyées depuis cette page. Pour envoyer aussi celles-ci, appuyez encore une fois sur le bouton.',
    unavailable:
      'Vos réponses n’ont pas pu être enregistrées. Elles sont toujours là : veuillez les renvoyer dans un instant.',
    offline:
      'Il n’y a pas de connexion. Vos réponses sont toujours là : veuillez les renvoyer dans un instant.',
    tooMany:
      'Trop de formulaires ont été envoyés depuis votre connexion. Veuillez réessayer dans une minute.',
    closed: 'Ce formulaire n’accepte plus de réponses.',
    failed: 'Cela n’a pas fonctionné. Vos réponses sont toujours là : veuillez réessayer dans un instant.',
  },
  gone: 'Le formulaire n’a plus ces champs. Ce que vous y avez saisi n’a pas été envoyé :',
  trap: 'Veuillez laisser ce champ vide',
  tryAgain: 'Envoyer à nouveau',
};
