/** Landing pages. */
import type { Button, Social, Theme } from './blocks.ts';

/** The content as it is stored: a field that is not set is missing. */
export interface LandingPageContent {
  headline?: string;
  subheadline?: string;
  body?: string;
  heroImageUrl?: string;
  avatarUrl?: string;
  buttons: Button[];
  socials: Social[];
  theme: Theme;
}
