/** The example of a menu: that of the bakery's kitchen. */
import type { z } from 'zod';
import type { createMenuBody } from '#schemas/api/menus.ts';
import type { Content, Material } from './content.ts';

type Pictures = Material['pictures'];

const breakfast = (pictures: Pictures) => ({
  name: 'Breakfast',
  description: 'Until half past eleven. Toast is our sourdough; ask for rye.',
  items: [
    {
      id: 'eggs-in-the-pan',
      name: 'Eggs in the pan',
      description: 'Three eggs in tomatoes and red peppers, feta, a heel of bread for the sauce.',
      price: '£11.50',
      allergens: ['gluten', 'dairy', 'eggs'],
      dietary: ['vegetarian', 'spicy'],
      customTags: { from: ['our oven', 'the dairy'], for: ['sharing'] },
      imageUrl: pictures['eggs-in-the-pan'],
    },
    {
      id: 'porridge',
      name: 'Porridge with pears',
      description: 'Oats soaked overnight in oat milk, a poached pear, toasted hazelnuts.',
      price: '£6.20',
      allergens: ['gluten', 'nuts'],
      dietary: ['vegetarian', 'vegan', 'dairy-free'],
      customTags: { from: ['the garden'], for: ['children'] },
    },
    {
      id: 'kipper',
      name: 'Kipper on toast',
      description: 'Smoked over oak at the end of the quay. Brown butter and lemon.',
      price: '£9.80',
      allergens: ['fish', 'gluten', 'dairy'],
      customTags: { from: ['the harbour', 'our oven'] },
    },
    {
      id: 'mushrooms',
      name: 'Mushrooms on toast',
      description: 'Field mushrooms, garlic, thyme, a splash of sherry.',
      price: '£8.90',
      allergens: ['gluten', 'sulphites'],
      dietary: ['vegetarian', 'vegan', 'dairy-free'],
      customTags: { from: ['our oven', 'the garden'] },
    },
    {
      id: 'bakers-breakfast',
      name: 'Baker’s breakfast',
      description: 'Bacon, a fried egg, beans from the pot, black pudding, fried bread.',
      price: '£12.80',
      allergens: ['gluten', 'eggs', 'celery'],
      dietary: ['dairy-free'],
    },
    {
      id: 'yoghurt',
      name: 'Yoghurt and stewed plums',
      description: 'Sheep’s yoghurt, plums, a spoon of heather honey.',
      price: '£5.60',
      allergens: ['dairy'],
      dietary: ['vegetarian', 'gluten-free'],
      customTags: { from: ['the dairy', 'the garden'], for: ['children', 'taking away'] },
    },
  ],
});

const oven = (pictures: Pictures) => ({
  name: 'From the oven',
  description: 'Out at seven, and usually gone by one.',
  items: [
    {
      id: 'croissant',
      name: 'Croissant',
      description: 'Three days in the making, twenty minutes in the oven.',
      price: '£2.90',
      allergens: ['gluten', 'dairy', 'eggs'],
      dietary: ['vegetarian'],
      customTags: { from: ['our oven'], for: ['children', 'taking away'] },
      imageUrl: pictures.croissant,
    },
    {
      id: 'cardamom-bun',
      name: 'Cardamom bun',
      price: '£3.20',
      allergens: ['gluten', 'dairy'],
      dietary: ['vegetarian'],
      customTags: { from: ['our oven'], for: ['children', 'taking away'] },
    },
    {
      id: 'scone',
      name: 'Cheddar and leek scone',
      description: 'With salted butter.',
      price: '£3.40',
      allergens: ['gluten', 'dairy', 'eggs', 'mustard'],
      dietary: ['vegetarian'],
      customTags: { from: ['our oven', 'the dairy'], for: ['taking away'] },
    },
    {
      id: 'sausage-roll',
      name: 'Sausage roll',
      description: 'Pork, apple and sage in butter pastry.',
      price: '£4.80',
      allergens: ['gluten', 'dairy', 'eggs', 'mustard'],
      customTags: { from: ['our oven'], for: ['children', 'taking away'] },
    },
    {
      id: 'sourdough',
      name: 'Quay sourdough, 900 g',
      description: 'Wheat from Larkham’s own mill, salt, water, thirty hours.',
      price: '£5.40',
      allergens: ['gluten'],
      dietary: ['vegetarian', 'vegan', 'dairy-free'],
      customTags: { from: ['our oven'], for: ['sharing', 'taking away'] },
    },
    {
      id: 'rye',
      name: 'Seeded rye, 700 g',
      price: '£5.10',
      allergens: ['gluten', 'sesame'],
      dietary: ['vegetarian', 'vegan', 'dairy-free'],
      customTags: { from: ['our oven'], for: ['taking away'] },
    },
  ],
});

const light = (pictures: Pictures) => ({
  name: 'Soups and salads',
  description: 'From noon, with bread and butter on the side.',
  items: [
    {
      id: 'pumpkin-soup',
      name: 'Roast pumpkin soup',
      description: 'Coconut cream, pumpkin seeds, chilli oil.',
      price: '£7.40',
      allergens: ['celery'],
      dietary: ['vegetarian', 'vegan', 'gluten-free', 'dairy-free', 'spicy'],
      customTags: { from: ['the garden'], for: ['taking away'] },
      imageUrl: pictures['pumpkin-soup'],
    },
    {
      id: 'fish-soup',
      name: 'Fish soup',
      description: 'Gurnard and prawns, fennel, saffron, garlic toast.',
      price: '£9.60',
      allergens: ['fish', 'shellfish', 'celery', 'gluten', 'eggs'],
      dietary: ['dairy-free'],
      customTags: { from: ['the harbour'] },
    },
    {
      id: 'garden-salad',
      name: 'Garden salad',
      description: 'Whatever Tom cut this morning, tomatoes, radishes, soft white cheese.',
      price: '£9.20',
      allergens: ['dairy', 'mustard'],
      dietary: ['vegetarian', 'gluten-free'],
      customTags: { from: ['the garden', 'the dairy'], for: ['sharing', 'taking away'] },
      imageUrl: pictures['garden-salad'],
    },
    {
      id: 'mackerel',
      name: 'Smoked mackerel and warm potatoes',
      description: 'Pickled cucumber, horseradish, a soft egg.',
      price: '£11.40',
      allergens: ['fish', 'eggs', 'mustard', 'sulphites'],
      dietary: ['gluten-free', 'dairy-free'],
      customTags: { from: ['the harbour', 'the garden'] },
    },
    {
      id: 'lentils',
      name: 'Lentils, beetroot and walnuts',
      description: 'Green lentils, roast beetroot, orange, walnut oil.',
      price: '£9.80',
      allergens: ['nuts', 'sulphites'],
      dietary: ['vegetarian', 'vegan', 'gluten-free', 'dairy-free'],
      customTags: { from: ['the garden'], for: ['taking away'] },
    },
  ],
});

const plates = (pictures: Pictures) => ({
  name: 'Plates',
  description: 'From noon until the pots are empty.',
  items: [
    {
      id: 'mussels',
      name: 'Mussels in cider',
      description: 'A kilo from the ropes off the point, leeks, cream, parsley. Bread for the broth.',
      price: '£15.80',
      allergens: ['molluscs', 'dairy', 'sulphites', 'celery', 'gluten'],
      customTags: { from: ['the harbour'], for: ['sharing'] },
      imageUrl: pictures.mussels,
    },
    {
      id: 'flatbread',
      name: 'Courgette flatbread',
      description: 'Blistered in the bread oven with tomatoes, ricotta and mint.',
      price: '£12.60',
      allergens: ['gluten', 'dairy'],
      dietary: ['vegetarian'],
      customTags: { from: ['our oven', 'the garden'], for: ['sharing', 'children', 'taking away'] },
      imageUrl: pictures.flatbread,
    },
    {
      id: 'hake',
      name: 'Hake, brown shrimps, samphire',
      description: 'Roast on the bone, with new potatoes and shrimp butter.',
      price: '£18.90',
      allergens: ['fish', 'shellfish', 'dairy'],
      dietary: ['gluten-free'],
      customTags: { from: ['the harbour', 'the garden'] },
    },
    {
      id: 'crab-sandwich',
      name: 'Crab sandwich',
      description: 'White and brown meat, lemon mayonnaise, soft granary.',
      price: '£14.20',
      allergens: ['shellfish', 'gluten', 'eggs', 'mustard'],
      dietary: ['dairy-free'],
      customTags: { from: ['the harbour', 'our oven'], for: ['taking away'] },
    },
    {
      id: 'chicken-pie',
      name: 'Chicken and leek pie',
      description: 'Butter crust, buttered greens, gravy in a jug.',
      price: '£14.60',
      allergens: ['gluten', 'dairy', 'eggs', 'celery'],
      customTags: { from: ['our oven'], for: ['children'] },
    },
    {
      id: 'aubergine',
      name: 'Aubergine and chickpea stew',
      description: 'Tomatoes, cinnamon, green chilli, a spoon of lemon pickle.',
      price: '£12.40',
      allergens: ['mustard'],
      dietary: ['vegetarian', 'vegan', 'gluten-free', 'dairy-free', 'halal', 'spicy'],
      customTags: { from: ['the garden'] },
    },
  ],
});

const longTable = () => ({
  name: 'The long table',
  description:
    'Friday and Saturday at seven: four courses for everybody, £48. The dishes change with the boats. These were last week’s.',
  items: [
    {
      id: 'oysters',
      name: 'Oysters, pickled shallot',
      allergens: ['molluscs', 'sulphites'],
      dietary: ['gluten-free', 'dairy-free'],
      customTags: { from: ['the harbour'], for: ['sharing'] },
    },
    {
      id: 'celeriac',
      name: 'Celeriac in a salt crust',
      description: 'Cracked open at the table. Hazelnut butter, bitter leaves.',
      allergens: ['celery', 'nuts', 'gluten'],
      dietary: ['vegetarian', 'vegan', 'dairy-free'],
      customTags: { from: ['our oven', 'the garden'], for: ['sharing'] },
    },
    {
      id: 'lamb',
      name: 'Shoulder of lamb, white beans',
      description: 'Seven hours in the cooling bread oven, anchovy and green sauce.',
      allergens: ['fish', 'mustard', 'sulphites'],
      dietary: ['gluten-free', 'dairy-free'],
      customTags: { from: ['our oven'], for: ['sharing'] },
    },
    {
      id: 'quince',
      name: 'Baked quince, bay custard',
      allergens: ['dairy', 'eggs'],
      dietary: ['vegetarian', 'gluten-free'],
      customTags: { from: ['the garden', 'the dairy'] },
    },
  ],
});

const sweet = (pictures: Pictures) => ({
  name: 'Sweet',
  items: [
    {
      id: 'berry-tart',
      name: 'Berry tart',
      description: 'Raspberries and bilberries on almond cream.',
      price: '£6.40',
      allergens: ['gluten', 'dairy', 'eggs', 'nuts'],
      dietary: ['vegetarian'],
      customTags: { from: ['our oven', 'the garden'], for: ['sharing', 'taking away'] },
      imageUrl: pictures['berry-tart'],
    },
    {
      id: 'date-pudding',
      name: 'Sticky date pudding',
      description: 'Hot, with cold cream.',
      price: '£7.20',
      allergens: ['gluten', 'dairy', 'eggs'],
      dietary: ['vegetarian'],
      customTags: { from: ['our oven', 'the dairy'], for: ['children'] },
    },
    {
      id: 'lemon-pot',
      name: 'Lemon cream',
      description: 'Set with nothing but lemon. A shortbread on the side if you like (gluten).',
      price: '£6.00',
      allergens: ['dairy'],
      dietary: ['vegetarian', 'gluten-free'],
      customTags: { from: ['the dairy'] },
    },
    {
      id: 'brownie',
      name: 'Chocolate and rye brownie',
      price: '£4.20',
      allergens: ['gluten', 'dairy', 'eggs', 'soy'],
      dietary: ['vegetarian'],
      customTags: { from: ['our oven'], for: ['children', 'taking away'] },
    },
    {
      id: 'sorbet',
      name: 'Plum sorbet',
      description: 'Two scoops, a sprig of mint.',
      price: '£4.80',
      dietary: ['vegetarian', 'vegan', 'gluten-free', 'dairy-free'],
      customTags: { from: ['the garden'], for: ['children'] },
    },
  ],
});

const drinks = (pictures: Pictures) => ({
  name: 'To drink',
  description: 'Oat milk costs nothing extra.',
  items: [
    {
      id: 'flat-white',
      name: 'Flat white',
      price: '£3.60',
      allergens: ['dairy'],
      dietary: ['vegetarian', 'gluten-free'],
      customTags: { for: ['taking away'] },
      imageUrl: pictures.coffee,
    },
    {
      id: 'filter-coffee',
      name: 'Filter coffee',
      description: 'Bottomless until ten.',
      price: '£3.00',
      dietary: ['vegetarian', 'vegan', 'gluten-free', 'dairy-free'],
      customTags: { for: ['taking away'] },
    },
    {
      id: 'tea',
      name: 'Pot of tea',
      description: 'Assam, jasmine or fresh mint.',
      price: '£3.20',
      dietary: ['vegetarian', 'vegan', 'gluten-free', 'dairy-free'],
      customTags: { for: ['sharing'] },
    },
    {
      id: 'lemonade',
      name: 'Cloudy lemonade',
      description: 'Pressed every morning, with mint.',
      price: '£3.90',
      dietary: ['vegetarian', 'vegan', 'gluten-free', 'dairy-free'],
      customTags: { from: ['the garden'], for: ['children', 'taking away'] },
      imageUrl: pictures.lemonade,
    },
    {
      id: 'cider',
      name: 'Dry cider, half a pint',
      description: 'From the orchard behind the mill.',
      price: '£3.80',
      allergens: ['sulphites'],
      dietary: ['vegetarian', 'vegan', 'gluten-free', 'dairy-free'],
      customTags: { from: ['the garden'] },
    },
  ],
});

export const kitchen: Content<z.input<typeof createMenuBody>> = ({ pictures, links }) => ({
  name: 'The kitchen at Larkham’s',
  headline: 'The kitchen at Larkham’s',
  subheadline: 'Breakfast and lunch on the quay, supper at the long table',
  heroImageUrl: pictures['long-table'],
  sections: [breakfast, oven, light, plates, longTable, sweet, drinks].map((section) => section(pictures)),
  tagCategories: [
    { id: 'from', name: 'Comes from', values: ['our oven', 'the harbour', 'the garden', 'the dairy'] },
    { id: 'for', name: 'Good for', values: ['sharing', 'children', 'taking away'] },
  ],
  buttons: [
    ...(links.form
      ? [{ id: 'seats', label: 'Ask for a seat at the long table', destination: links.form }]
      : []),
    { id: 'call', label: 'Call the kitchen', destination: 'tel:+441632960147', hint: '01632 960147' },
  ],
  socials: [
    { id: 'website', platform: 'website', url: 'https://example.com/larkham' },
    { id: 'instagram', platform: 'instagram', url: 'https://example.com/larkham/instagram' },
  ],
  footer:
    'Service is included. Please tell us about allergies before you order: everything is cooked in one small kitchen.',
  theme: { accent: '#1f6b63' },
});
