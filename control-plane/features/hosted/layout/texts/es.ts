import type { Words } from './words.ts';

export const es: Words = {
  page: {
    socials: 'Síguenos',
    website: 'Sitio web',
    email: 'Correo electrónico',
  },
  menu: {
    sections: 'Secciones de la carta',
    filter: 'Filtrar',
    close: 'Cerrar',
    diet: 'Dieta',
    without: 'Ocultar platos que indican',
    caution:
      'Los alérgenos son los que indica la carta. Un plato en el que no se indica un alérgeno puede contenerlo igualmente: pregunte al personal.',
    apply: 'Mostrar platos',
    clear: 'Quitar filtros',
    count: 'Mostrando {shown} de {total}',
    nothingFound: 'Ningún plato coincide con estos filtros.',
    empty: 'Esta carta todavía está vacía.',
    allergens: 'Alérgenos:',
    separator: ', ',
    online: 'Esta carta en línea:',
    allergenNames: {
      gluten: 'Gluten',
      dairy: 'Lácteos',
      eggs: 'Huevos',
      nuts: 'Frutos de cáscara',
      peanuts: 'Cacahuetes',
      soy: 'Soja',
      fish: 'Pescado',
      shellfish: 'Crustáceos',
      sesame: 'Sésamo',
      celery: 'Apio',
      mustard: 'Mostaza',
      sulphites: 'Sulfitos',
      lupin: 'Altramuces',
      molluscs: 'Moluscos',
    },
    dietNames: {
      vegetarian: 'Vegetariano',
      vegan: 'Vegano',
      'gluten-free': 'Sin gluten',
      'dairy-free': 'Sin lácteos',
      halal: 'Halal',
      kosher: 'Kosher',
      spicy: 'Picante',
    },
  },
  status: {
    unknown: {
      title: 'Esta página no existe',
      lead: 'Puede que se haya eliminado o que la dirección esté incompleta.',
    },
    paused: {
      title: 'Esta página está en pausa',
      lead: 'Está desactivada por ahora. Vuelve a intentarlo más tarde.',
    },
    badRequest: {
      title: 'No ha funcionado',
      lead: 'La dirección o los datos enviados no son correctos. Vuelve atrás e inténtalo de nuevo.',
    },
    forbidden: {
      title: 'No se ha aceptado',
      lead: 'Se ha enviado desde otro sitio. Abre la propia página e inténtalo de nuevo.',
    },
    methodNotAllowed: {
      title: 'No ha funcionado',
      lead: 'No se puede enviar nada a esta página. Vuelve atrás e inténtalo de nuevo.',
    },
    tooLarge: {
      title: 'Es demasiado de una vez',
      lead: 'Los datos enviados superan lo que esta página acepta. Acórtalos e inténtalo de nuevo.',
    },
    unsupported: {
      title: 'No ha funcionado',
      lead: 'Esta página no entiende el formato de los datos enviados.',
    },
    rateLimited: {
      title: 'Un momento, por favor',
      lead: 'Tu conexión ha enviado demasiadas solicitudes. Inténtalo de nuevo en un minuto.',
    },
    unavailable: {
      title: 'Volvemos enseguida',
      lead: 'La página no se puede mostrar en este momento. Inténtalo de nuevo en breve.',
    },
    failed: {
      title: 'Algo ha salido mal',
      lead: 'El fallo es nuestro. Inténtalo de nuevo en breve.',
    },
  },
};
