import type { Words } from './words.ts';

export const pt: Words = {
  page: {
    socials: 'Outros canais',
    website: 'Site',
    email: 'E-mail',
  },
  menu: {
    sections: 'Secções da ementa',
    filter: 'Filtrar',
    close: 'Fechar',
    diet: 'Dieta',
    without: 'Ocultar pratos que indicam',
    caution:
      'Os alergénios são os indicados na ementa. Um prato em que um alergénio não é indicado pode ainda assim contê-lo: pergunte ao pessoal.',
    apply: 'Mostrar pratos',
    clear: 'Limpar filtros',
    count: 'A mostrar {shown} de {total}',
    nothingFound: 'Nenhum prato corresponde a estes filtros.',
    empty: 'Esta ementa ainda está vazia.',
    allergens: 'Alergénios:',
    separator: ', ',
    online: 'Esta ementa online:',
    allergenNames: {
      gluten: 'Glúten',
      dairy: 'Laticínios',
      eggs: 'Ovos',
      nuts: 'Frutos de casca rija',
      peanuts: 'Amendoins',
      soy: 'Soja',
      fish: 'Peixe',
      shellfish: 'Crustáceos',
      sesame: 'Sésamo',
      celery: 'Aipo',
      mustard: 'Mostarda',
      sulphites: 'Sulfitos',
      lupin: 'Tremoço',
      molluscs: 'Moluscos',
    },
    dietNames: {
      vegetarian: 'Vegetariano',
      vegan: 'Vegano',
      'gluten-free': 'Sem glúten',
      'dairy-free': 'Sem laticínios',
      halal: 'Halal',
      kosher: 'Kosher',
      spicy: 'Picante',
    },
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
