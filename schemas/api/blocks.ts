/** Blocks that hosted pages share: buttons, socials, theme; as they are stored, with their ids. */

export const socialPlatforms = [
  'website',
  'twitter',
  'instagram',
  'facebook',
  'linkedin',
  'youtube',
  'tiktok',
  'github',
  'email',
  'whatsapp',
  'custom',
] as const;
export type SocialPlatform = (typeof socialPlatforms)[number];

export interface Button {
  id: string;
  label: string;
  /** An http:, https:, mailto: or tel: URL. */
  destination: string;
  hint?: string;
}

export interface Social {
  id: string;
  platform: SocialPlatform;
  /** http(s); for `email` also an address or a mailto: URL. */
  url: string;
  /** Of `custom` only. */
  label?: string;
  /** Of `custom` only. */
  iconUrl?: string;
}

/** Each is `#` and six hexadecimal digits. */
export interface Theme {
  background?: string;
  text?: string;
  accent?: string;
}
