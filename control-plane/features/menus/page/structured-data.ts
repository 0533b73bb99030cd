/** A menu for search engines: schema.org's Menu, in a Restaurant if the page describes one. */
import type { SuggestedDiet } from '#schemas/api/menu-tags.ts';
import type { MenuContent, MenuItem, MenuSection } from '#schemas/api/menus.ts';
import { parsePrice } from './price.ts';
import { saysSomething } from './shown-menu.ts';

/** Diets of schema.org's RestrictedDiet. Dairy-free is stricter than its LowLactoseDiet; spicy is not a diet. */
const schemaDiets: Partial<Record<SuggestedDiet, string>> = {
  vegetarian: 'VegetarianDiet',
  vegan: 'VeganDiet',
  'gluten-free': 'GlutenFreeDiet',
  halal: 'HalalDiet',
  kosher: 'KosherDiet',
};

/** A menu with more items lists none: half a menu would be wrong, and its page is long already. */
const itemsMax = 200;

type Described = Readonly<Record<string, unknown>>;

const isKnownDiet = (tag: string): tag is keyof typeof schemaDiets => Object.hasOwn(schemaDiets, tag);

const offerOf = (text: string | undefined): Described | undefined => {
  const price = text === undefined ? undefined : parsePrice(text);
  return price && { '@type': 'Offer', price: price.amount, priceCurrency: price.currency };
};

/** Descriptions are left out: the page has them, and they would double its size. */
const describeItem = ({ name, price, dietary }: MenuItem): Described => {
  const diets = dietary.filter(isKnownDiet).map((diet) => `https://schema.org/${schemaDiets[diet]}`);
  return {
    '@type': 'MenuItem',
    name,
    offers: offerOf(price),
    suitableForDiet: diets.length > 0 ? diets : undefined,
  };
};

const describeSection = ({ name, description, items }: MenuSection, withItems: boolean): Described => ({
  '@type': 'MenuSection',
  name,
  description,
  hasMenuItem: withItems && items.length > 0 ? items.map(describeItem) : undefined,
});

const describeMenu = (
  content: MenuContent,
  name: string,
  url: string,
  language: string | undefined,
): Described => {
  const count = content.sections.reduce((sum, { items }) => sum + items.length, 0);
  return {
    '@type': 'Menu',
    name,
    url,
    inLanguage: language,
    description: content.subheadline,
    image: content.heroImageUrl,
    hasMenuSection: content.sections
      .filter(saysSomething)
      .map((section) => describeSection(section, count <= itemsMax)),
  };
};

/** The owner's contacts in the buttons and socials of a page. */
const contactOf = ({ buttons, socials }: MenuContent) => {
  const phone = buttons.find(({ destination }) => destination.startsWith('tel:'));
  const links = socials.filter(({ url }) => /^https?:/.test(url));
  const website = links.find(({ platform }) => platform === 'website');
  const profiles = links.filter(({ platform }) => platform !== 'website' && platform !== 'custom');
  if (!phone && !website && profiles.length === 0) return undefined;
  return {
    telephone: phone?.destination.slice('tel:'.length),
    url: website?.url,
    sameAs: profiles.length > 0 ? profiles.map(({ url }) => url) : undefined,
  };
};

/**
 * @param name the page's title
 * @param language of its texts, if known
 * @returns JSON-LD without its context; unknown values are undefined
 */
export const structuredData = (
  content: MenuContent,
  name: string,
  url: string,
  language: string | undefined,
): Described => {
  const menu = describeMenu(content, name, url, language);
  const contact = content.headline === undefined ? undefined : contactOf(content);
  return contact ? { '@type': 'Restaurant', name, ...contact, hasMenu: menu } : menu;
};
