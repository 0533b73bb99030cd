/** Menus for viewing and measuring. */
import type { MenuContent, MenuItem, MenuSection } from '#schemas/api/menus.ts';

type Row = readonly [name: string, price: string, description?: string, tags?: Partial<MenuItem>];

let items = 0;

const itemOf = ([name, price, description, tags]: Row): MenuItem => ({
  id: `item${++items}`,
  name,
  allergens: [],
  dietary: [],
  customTags: {},
  ...(price !== '' && { price }),
  ...(description !== undefined && { description }),
  ...tags,
});

const sectionOf = (name: string, rows: readonly Row[], description?: string): MenuSection => ({
  name,
  ...(description !== undefined && { description }),
  items: rows.map(itemOf),
});

export const emptyMenu: MenuContent = {
  sections: [],
  tagCategories: [],
  theme: {},
  buttons: [],
  socials: [],
};

const picture = (name: string): string => `https://images.example/${name}.jpg`;

const vegetarian = { dietary: ['vegetarian'], allergens: ['gluten', 'dairy'] };
const vegan = { dietary: ['vegan', 'vegetarian'] };

const starters: Row[] = [
  [
    'Bruschetta al pomodoro',
    '6,50 €',
    'Toasted bread, tomatoes, basil, garlic and our own olive oil',
    { ...vegan, allergens: ['gluten'] },
  ],
  [
    'Vitello tonnato',
    '12,90 €',
    'Veal, thinly sliced, with a tuna sauce and capers',
    { allergens: ['fish', 'eggs', 'mustard'], imageUrl: picture('vitello') },
  ],
  [
    'Burrata',
    '11,50 €',
    'With grilled peaches and mint',
    { dietary: ['vegetarian', 'gluten-free'], allergens: ['dairy'], imageUrl: picture('burrata') },
  ],
  [
    'Carpaccio di manzo',
    '13,50 €',
    'Beef, rocket, parmesan',
    { allergens: ['dairy'], dietary: ['gluten-free'] },
  ],
  ['Minestrone', '7,00 €', 'Vegetables of the season', { ...vegan, allergens: ['celery'] }],
  ['Insalata mista', '5,50 €'],
  [
    'Arancini',
    '8,00 €',
    'Three rice balls with saffron and peas',
    { ...vegetarian, customTags: { from: ['sicily'] } },
  ],
  [
    'Olive all’ascolana',
    '7,50 €',
    'Stuffed olives, fried',
    { allergens: ['gluten', 'eggs'], customTags: { from: ['marche'] } },
  ],
];

const pasta: Row[] = [
  [
    'Spaghetti aglio, olio e peperoncino',
    '9,50 €',
    'Garlic, oil and chilli',
    { dietary: ['vegan', 'spicy'], allergens: ['gluten'], customTags: { from: ['campania'] } },
  ],
  [
    'Tagliatelle al ragù',
    '12,00 € / 15,50 €',
    'Small or large, cooked for six hours',
    { allergens: ['gluten', 'eggs', 'celery'], customTags: { from: ['emilia'] } },
  ],
  [
    'Trofie al pesto',
    '11,00 €',
    'With potatoes and green beans',
    { ...vegetarian, allergens: ['gluten', 'dairy', 'nuts'] },
  ],
  [
    'Ravioli di zucca',
    '12,50 €',
    'Pumpkin, butter and sage',
    { ...vegetarian, customTags: { from: ['lombardy'] } },
  ],
  [
    'Linguine allo scoglio',
    'MP',
    'What the boat brings: mussels, clams, prawns',
    { allergens: ['gluten', 'molluscs', 'shellfish', 'fish'] },
  ],
  [
    'Gnocchi al gorgonzola',
    '11,50 €',
    'Blue cheese and walnuts',
    { ...vegetarian, allergens: ['gluten', 'dairy', 'nuts'] },
  ],
  ['Lasagne', '11,90 €', undefined, { allergens: ['gluten', 'dairy', 'eggs', 'celery'] }],
  ['Cacio e pepe', '10,50 €', 'Pecorino and black pepper', vegetarian],
  [
    'Orecchiette con cime di rapa',
    '11,00 €',
    'Turnip greens and anchovies',
    { allergens: ['gluten', 'fish'], customTags: { from: ['apulia'] } },
  ],
];

const pizza: Row[] = [
  'Margherita',
  'Marinara',
  'Funghi',
  'Diavola',
  'Quattro formaggi',
  'Prosciutto crudo',
  'Napoli',
  'Capricciosa',
  'Ortolana',
  'Tonno e cipolla',
  'Bufala',
  'Salsiccia e friarielli',
].map(
  (name, at): Row => [
    name,
    `${(8.5 + at * 0.5).toFixed(2).replace('.', ',')} €`,
    at % 3 === 2 ? undefined : 'Tomatoes, mozzarella, basil and a long-risen dough',
    at % 2
      ? { allergens: ['gluten', 'dairy'] }
      : { ...vegetarian, ...(at % 4 === 0 && { customTags: { from: ['campania'] } }) },
  ],
);

const mains: Row[] = [
  [
    'Saltimbocca alla romana',
    '19,50 €',
    'Veal, ham and sage in white wine',
    { allergens: ['sulphites'], customTags: { from: ['lazio'] } },
  ],
  [
    'Branzino alla griglia',
    '22,00 €',
    'Sea bass from the grill with lemon',
    { allergens: ['fish'], dietary: ['gluten-free'], imageUrl: picture('branzino') },
  ],
  [
    'Melanzane alla parmigiana',
    '14,50 €',
    'Aubergines, tomatoes, parmesan',
    { ...vegetarian, dietary: ['vegetarian', 'gluten-free'], allergens: ['dairy'] },
  ],
  [
    'Ossobuco',
    '21,00 €',
    'With gremolata and saffron risotto',
    { allergens: ['celery', 'dairy', 'sulphites'], customTags: { from: ['lombardy'] } },
  ],
  [
    'Tagliata di manzo',
    '24,50 €',
    'Rocket, parmesan, balsamic vinegar',
    { allergens: ['dairy', 'sulphites'], dietary: ['gluten-free'] },
  ],
  ['Pollo alla cacciatora', '16,50 €', 'Chicken, olives, tomatoes', { dietary: ['gluten-free', 'halal'] }],
  [
    'Frittura mista',
    '18,50 €',
    'Squid, prawns, small fish',
    { allergens: ['gluten', 'fish', 'molluscs', 'shellfish'] },
  ],
  [
    'Risotto ai funghi',
    '15,00 €',
    'Porcini and thyme',
    { dietary: ['vegetarian', 'gluten-free'], allergens: ['dairy'] },
  ],
];

const sweets: Row[] = [
  [
    'Tiramisù',
    '6,50 €',
    'As in Treviso',
    { dietary: ['vegetarian'], allergens: ['gluten', 'dairy', 'eggs'], imageUrl: picture('tiramisu') },
  ],
  ['Panna cotta', '6,00 €', 'With berries', { dietary: ['gluten-free'], allergens: ['dairy'] }],
  [
    'Cannoli',
    '6,50 €',
    'Ricotta and pistachios',
    { dietary: ['vegetarian'], allergens: ['gluten', 'dairy', 'nuts'], customTags: { from: ['sicily'] } },
  ],
  [
    'Affogato',
    '5,00 €',
    'Vanilla ice cream in espresso',
    { dietary: ['vegetarian', 'gluten-free'], allergens: ['dairy', 'eggs'] },
  ],
  ['Sorbetto al limone', '5,00 €', undefined, { dietary: ['vegan', 'gluten-free'] }],
  [
    'Torta caprese',
    '5,80 €',
    'Chocolate and almonds',
    {
      dietary: ['vegetarian', 'gluten-free'],
      allergens: ['nuts', 'eggs', 'dairy'],
      customTags: { from: ['campania'] },
    },
  ],
];

const drinks: Row[] = [
  'Acqua minerale',
  'Limonata',
  'Chinotto',
  'Espresso',
  'Cappuccino',
  'Caffè corretto',
  'Tè freddo',
  'Spritz',
  'Negroni',
  'Vino della casa',
  'Birra',
  'Grappa',
  'Amaro',
  'Limoncello',
  'Succo di mela',
  'Cioccolata',
  'Crodino',
].map(
  (name, at): Row => [
    name,
    `${(2.8 + at * 0.3).toFixed(2).replace('.', ',')} €`,
    at % 4 === 0 ? 'Glass or bottle' : undefined,
    at === 4 ? { allergens: ['dairy'] } : {},
  ],
);

/** Sixty items in six sections, like a restaurant's. */
export const usualMenu: MenuContent = {
  ...emptyMenu,
  headline: 'Trattoria da Nunzia',
  subheadline: 'Cooking from all of Italy, in the old harbour since 1987. The kitchen is open until ten.',
  footer: 'All prices in euros, service included. Children eat half portions at half the price.',
  heroImageUrl: picture('hero'),
  sections: [
    sectionOf('Antipasti', starters),
    sectionOf('Pasta', pasta, 'All pasta is made by hand every morning. Gluten-free pasta on request.'),
    sectionOf('Pizza', pizza, 'From a wood-fired oven.'),
    sectionOf('Secondi', mains),
    sectionOf('Dolci', sweets),
    sectionOf('Bevande', drinks),
  ],
  tagCategories: [
    {
      id: 'from',
      name: 'Region',
      values: ['sicily', 'campania', 'emilia', 'lombardy', 'lazio', 'apulia', 'marche'],
    },
  ],
  buttons: [
    { id: 'book', label: 'Book a table', destination: 'https://trattoria.example/book' },
    { id: 'call', label: 'Call us', destination: 'tel:+4940123456' },
  ],
  socials: [
    { id: 'web', platform: 'website', url: 'https://trattoria.example' },
    { id: 'insta', platform: 'instagram', url: 'https://instagram.com/trattoria' },
  ],
};

const long = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichensuppe';

/** Unbreakable words, prices of all kinds, sections without items. */
const longMenu: MenuContent = {
  ...emptyMenu,
  headline: long,
  subheadline: 'Wir kochen mit Zutaten aus der Region und mit viel Liebe.',
  sections: [
    sectionOf(
      long,
      [
        [
          long,
          '12,50 € / 18 € / 24 € große',
          `${long} mit ${long}`,
          {
            allergens: ['sellerieknollenwurzelextraktpulver', 'gluten'],
            dietary: ['ohne-gentechnik-und-aus-der-region', 'vegan'],
            imageUrl: picture('soup'),
          },
        ],
        ['Fang des Tages', 'MP'],
        ['A'.repeat(120), 'B'.repeat(30)],
        ['Ohne Preis', ''],
      ],
      'x'.repeat(200),
    ),
    sectionOf('Bald', [], 'Diese Karte gibt es ab dem Frühling.'),
    sectionOf('Nichts', []),
    sectionOf('W'.repeat(120), [['Wasser', '2 €']]),
  ],
};

const arabicMenu: MenuContent = {
  ...emptyMenu,
  headline: 'مطعم الياسمين',
  subheadline: 'مطبخ شامي أصيل في قلب المدينة منذ عام ١٩٧٠، نطبخ كل يوم من المكونات الطازجة.',
  sections: [
    sectionOf(
      'المقبلات',
      [
        [
          'حمص بالطحينة',
          '٢٥ ₪',
          'مع زيت الزيتون والصنوبر',
          { dietary: ['vegan', 'halal'], allergens: ['sesame', 'nuts'] },
        ],
        [
          'فتوش',
          '٢٨ ₪',
          'خضار طازجة مع الخبز المحمص والسماق',
          { dietary: ['vegan'], imageUrl: picture('fattoush') },
        ],
        ['French fries', '18 ₪', 'With ketchup'],
      ],
      'كلها محضرة في مطبخنا كل صباح',
    ),
    sectionOf('الأطباق الرئيسية', [
      ['شاورما دجاج', '٤٥ ₪ / ٦٠ ₪', undefined, { dietary: ['halal', 'spicy'], allergens: ['gluten'] }],
    ]),
    sectionOf('الحلويات', [['كنافة', '٣٠ ₪', undefined, { allergens: ['dairy', 'nuts', 'gluten'] }]]),
  ],
};

/** As many sections, items, buttons and socials as a menu can have. */
export const largestMenu: MenuContent = {
  ...emptyMenu,
  headline: 'Twenty sections of fifty dishes each, for the largest kitchen in the town',
  sections: Array.from({ length: 20 }, (_, at) =>
    sectionOf(
      `Section number ${at + 1}`,
      Array.from({ length: 50 }, (_, index): Row => {
        const tags = { dietary: index % 2 === 0 ? ['vegan'] : [], allergens: ['nuts', 'gluten'] };
        return [`Dish ${at + 1}.${index + 1}`, `${index + 1},50 €`, 'As it has always been made here', tags];
      }),
    ),
  ),
  buttons: Array.from({ length: 12 }, (_, at) => ({
    id: `button${at}`,
    label: `Button number ${at + 1}`,
    destination: 'https://example.com',
    ...(at % 3 === 0 && { hint: 'With a hint below it' }),
  })),
  socials: usualMenu.socials,
};

export const menuSamples = {
  usual: usualMenu,
  themed: { ...usualMenu, theme: { background: '#2b0a3d', text: '#ffd6f5', accent: '#ff7a00' } },
  empty: { ...emptyMenu, headline: 'Opening soon' },
  bare: {
    ...emptyMenu,
    sections: [
      sectionOf('Drinks', [
        ['Water', ''],
        ['Wine', ''],
        ['Beer', ''],
      ]),
    ],
  },
  long: longMenu,
  arabic: arabicMenu,
} satisfies Record<string, MenuContent>;
