import type { FormWords } from './words.ts';

export const en: FormWords = {
  requiredNote: 'Fields with * are required.',
  choose: 'Please choose',
  send: 'Send',
  sending: 'Sending…',
  charactersMax: (characters) => `At most ${characters} characters.`,
  sent: { title: 'Thank you!', lead: 'Your answers have arrived.', again: 'Fill in the form again' },
  check: 'Please check your answers',
  faults: {
    required: 'Please fill in this field.',
    chooseOne: 'Please choose an option.',
    tick: 'Please tick this box.',
    email: 'Please enter an email address such as name@example.com.',
    phone: 'Please enter a phone number such as +1 555 123 4567.',
    option: 'This option is no longer there. Please choose another one.',
    several: 'Please give one answer only.',
    tooLong: (max, characters) => `Please use at most ${max} characters. These are ${characters}.`,
  },
  notices: {
    tooFast: 'That was quick. Please look over your answers, and send them again.',
    trap: 'A hidden field was filled in, as programs do. It is empty now: please send your answers again.',
    expired: 'This page was open for a long time. Your answers are still here: please send them again.',
    changed: 'This form has changed since you opened it. Please look over your answers, and send them again.',
    used: 'Other answers were already sent from this page. To send these ones as well, please press the button again.',
    unavailable:
      'Your answers could not be stored right now. They are still here: please send them again in a moment.',
    offline: 'There is no connection. Your answers are still here: please send them again in a moment.',
    tooMany: 'Too many forms were sent from your connection. Please try again in a minute.',
    closed: 'This form takes no more answers.',
    failed: 'That did not work. Your answers are still here: please try again in a moment.',
  },
  gone: 'The form no longer has these fields. What you entered there was not sent:',
  trap: 'Please leave this field empty',
  tryAgain: 'Send again',
};
