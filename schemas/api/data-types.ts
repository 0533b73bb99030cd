/** The types of a code's content. */
export const dataTypes = [
  'url',
  'text',
  'email',
  'wifi',
  'vcard',
  'sms',
  'phone',
  'geo',
  'vcalendar',
  'mecard',
  'gs1',
] as const;

export type DataType = (typeof dataTypes)[number];
