import type { Words } from './words.ts';

export const pt: Words = {
  page: {
    socials: 'Outros canais',
    website: 'Site',
    email: 'E-mail',
  },
  status: {
    unknown: {
      title: 'Esta página não existe',
      lead: 'Talvez tenha sido removida, ou o endereço está incompleto.',
    },
    paused: {
      title: 'Esta página está em pausa',
      lead: 'Está desativada por agora. Por favor, tente mais tarde.',
    },
    badRequest: {
      title: 'Não funcionou',
      lead: 'O endereço ou os dados enviados não estão corretos. Por favor, volte atrás e tente de novo.',
    },
    forbidden: {
      title: 'O envio não foi aceite',
      lead: 'Veio de outro site. Por favor, abra a própria página e tente de novo.',
    },
    methodNotAllowed: {
      title: 'Não funcionou',
      lead: 'Não é possível enviar nada para esta página. Por favor, volte atrás e tente de novo.',
    },
    tooLarge: {
      title: 'É demasiado de uma só vez',
      lead: 'Os dados enviados excedem o que esta página aceita. Por favor, encurte-os e tente de novo.',
    },
    unsupported: {
      title: 'Não funcionou',
      lead: 'Esta página não entende o formato dos dados enviados.',
    },
    rateLimited: {
      title: 'Um momento, por favor',
      lead: 'A sua ligação fez demasiados pedidos. Por favor, tente de novo dentro de um minuto.',
    },
    unavailable: {
      title: 'Voltamos já',
      lead: 'De momento, a página não pode ser mostrada. Por favor, tente de novo em breve.',
    },
    failed: {
      title: 'Algo correu mal',
      lead: 'O erro é nosso. Por favor, tente de novo em breve.',
    },
  },
};
