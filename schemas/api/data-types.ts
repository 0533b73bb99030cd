/** What a code can hold. */
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
