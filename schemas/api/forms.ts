/** Forms. */
import type { Social, Theme } from './blocks.ts';

export const formFieldTypes = ['text', 'email', 'phone', 'textarea', 'select', 'radio', 'checkbox'] as const;
export type FormFieldType = (typeof formFieldTypes)[number];

export interface FormField {
  id: string;
  type: FormFieldType;
  label: string;
  /** Of `select` and `radio`. */
  options?: string[];
  required: boolean;
  helpText?: string;
  placeholder?: string;
  maxLength?: number;
}

/** The content as it is stored: a field that is not set is missing. */
export interface FormContent {
  description?: string;
  fields: FormField[];
  redirectAfterSubmit?: string;
  thankYouMessage?: string;
  submitLabel?: string;
  logoUrl?: string;
  theme: Theme;
  socials: Social[];
}
