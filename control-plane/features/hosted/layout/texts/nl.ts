import type { Words } from './words.ts';

export const nl: Words = {
  page: {
    socials: 'Volg ons',
    website: 'Website',
    email: 'E-mail',
  },
  menu: {
    sections: 'Onderdelen van de kaart',
    filter: 'Filteren',
    close: 'Sluiten',
    diet: 'Dieet',
    without: 'Verberg gerechten met',
    caution:
      'Allergenen zoals vermeld op de kaart. Een gerecht waarbij een allergeen niet is vermeld, kan het toch bevatten: vraag het personeel.',
    apply: 'Gerechten tonen',
    clear: 'Filters wissen',
    count: '{shown} van {total} getoond',
    nothingFound: 'Geen gerecht past bij deze filters.',
    empty: 'Er staat nog niets op deze kaart.',
    allergens: 'Allergenen:',
    separator: ', ',
    online: 'Deze kaart online:',
    allergenNames: {
      gluten: 'Gluten',
      dairy: 'Melk',
      eggs: 'Eieren',
      nuts: 'Noten',
      peanuts: 'Pinda’s',
      soy: 'Soja',
      fish: 'Vis',
      shellfish: 'Schaaldieren',
      sesame: 'Sesam',
      celery: 'Selderij',
      mustard: 'Mosterd',
      sulphites: 'Sulfiet',
      lupin: 'Lupine',
      molluscs: 'Weekdieren',
    },
    dietNames: {
      vegetarian: 'Vegetarisch',
      vegan: 'Veganistisch',
      'gluten-free': 'Glutenvrij',
      'dairy-free': 'Zuivelvrij',
      halal: 'Halal',
      kosher: 'Koosjer',
      spicy: 'Pittig',
    },
  },
  status: {
    unknown: {
      title: 'Deze pagina bestaat niet',
      lead: 'Misschien is ze verwijderd, of het adres is niet volledig.',
    },
    paused: {
      title: 'Deze pagina is gepauzeerd',
      lead: 'Ze is voorlopig uitgeschakeld. Probeer het later opnieuw.',
    },
    badRequest: {
      title: 'Dat is niet gelukt',
      lead: 'Het adres of de verzonden gegevens kloppen niet. Ga terug en probeer het opnieuw.',
    },
    forbidden: {
      title: 'Dit is niet aanvaard',
      lead: 'Het is vanaf een andere site verzonden. Open de pagina zelf en probeer het opnieuw.',
    },
    methodNotAllowed: {
      title: 'Dat is niet gelukt',
      lead: 'Naar deze pagina kan niets worden verzonden. Ga terug en probeer het opnieuw.',
    },
    tooLarge: {
      title: 'Dit is te veel in één keer',
      lead: 'De gegevens zijn groter dan deze pagina aanvaardt. Kort ze in en probeer het opnieuw.',
    },
    unsupported: {
      title: 'Dat is niet gelukt',
      lead: 'Deze pagina begrijpt het formaat van de gegevens niet.',
    },
    rateLimited: {
      title: 'Een ogenblik alstublieft',
      lead: 'Er kwamen te veel verzoeken van uw verbinding. Probeer het over een minuut opnieuw.',
    },
    unavailable: {
      title: 'Zo weer terug',
      lead: 'De pagina kan nu niet worden getoond. Probeer het zo dadelijk opnieuw.',
    },
    failed: {
      title: 'Er ging iets mis',
      lead: 'De fout ligt bij ons. Probeer het zo dadelijk opnieuw.',
    },
  },
};
