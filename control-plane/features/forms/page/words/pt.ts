import type { FormWords } from './words.ts';

export const pt: FormWords = {
  requiredNote: 'Os campos com * são obrigatórios.',
  choose: 'Escolha uma opção',
  send: 'Enviar',
  sending: 'A enviar…',
  charactersMax: (characters) => `No máximo ${characters} caracteres.`,
  sent: { title: 'Obrigado!', lead: 'As suas respostas chegaram.', again: 'Preencher de novo o formulário' },
  check: 'Verifique as suas respostas',
  faults: {
    required: 'Preencha este campo.',
    chooseOne: 'Escolha uma opção.',
    tick: 'Assinale esta caixa.',
    email: 'Introduza um endereço de e-mail como nome@example.com.',
    phone: 'Introduza um número de telefone como +351 21 123 4567.',
    option: 'Esta opção já não existe. Escolha outra.',
    several: 'Dê apenas uma resposta.',
    tooLong: (max, characters) => `Use no máximo ${max} caracteres. São ${characters}.`,
  },
  notices: {
    tooFast: 'Foi rápido. Verifique as suas respostas e envie-as de novo.',
    trap: 'Um campo oculto estava preenchido, como fazem os programas. Agora está vazio: envie de novo as suas respostas.',
    expired: 'Esta página esteve aberta muito tempo. As suas respostas ainda estão aqui: envie-as de novo.',
    changed: 'Este formulário mudou desde que o abriu. Verifique as suas respostas e envie-as de novo.',
    used: 'Desta página já foram enviadas outras respostas. Para enviar também estas, prima o botão de novo.',
    unavailable:
      'Não foi possível guardar as suas respostas. Ainda estão aqui: envie-as de novo daqui a pouco.',
    offline: 'Não há ligação. As suas respostas ainda estão aqui: envie-as de novo daqui a pouco.',
    tooMany: 'Foram enviados demasiados formulários da sua ligação. Tente de novo dentro de um minuto.',
    closed: 'Este formulário já não aceita respostas.',
    failed: 'Não funcionou. As suas respostas ainda estão aqui: tente de novo daqui a pouco.',
  },
  gone: 'O formulário já não tem estes campos. O que neles escreveu não foi enviado:',
  trap: 'Deixe este campo vazio',
  tryAgain: 'Enviar de novo',
};
