/** Menus. */
import type { Button, Social, Theme } from './blocks.ts';

export interface MenuItem {
  id: string;
  name: string;
  description?: string;
  /** As it is to be shown. */
  price?: string;
  allergens: string[];
  dietary: string[];
  /** Values by the id of their category. */
  customTags: Record<string, string[]>;
  imageUrl?: string;
}

export interface MenuSection {
  name: string;
  description?: string;
  items: MenuItem[];
}

export interface TagCategory {
  id: string;
  name: string;
  values: string[];
}

/** The content as it is stored: a field that is not set is missing. */
export interface MenuContent {
  headline?: string;
  subheadline?: string;
  footer?: string;
  heroImageUrl?: string;
  sections: MenuSection[];
  tagCategories: TagCategory[];
  theme: Theme;
  buttons: Button[];
  socials: Social[];
}
