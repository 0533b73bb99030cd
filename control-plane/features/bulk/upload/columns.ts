/** The columns of an upload: their explanations, and the contents of the template. */
import type { DataType } from '#schemas/api/data-types.ts';
import { frameTextLengthMax, presets } from '#schemas/api/style.ts';
import type { WrittenColumn } from '../../../platform/spreadsheets/write-spreadsheet.ts';

/** The types that columns of a spreadsheet can describe. */
export const uploadTypes = ['url', 'text', 'email', 'phone', 'sms', 'geo', 'wifi', 'vcard'] as const;
export type UploadType = (typeof uploadTypes)[number] & DataType;

export interface Column extends WrittenColumn {
  /** One sentence for the sheet of explanations. */
  about: string;
}

export const columns = {
  name: { about: 'A label of your choice, at most 120 characters.', width: 24 },
  dataType: { about: 'What the code holds. Default: url.', choices: uploadTypes },
  destination: {
    about:
      'The web address for url, the text for text, the number for phone, latitude and longitude for geo.',
    width: 36,
  },
  preset: { about: 'A ready-made look. It replaces the look of the whole upload.', choices: presets },
  brandKitId: { about: 'The id of a brand kit, instead of a preset.', width: 16 },
  primaryColor: { about: 'The colour of the pattern, such as #0c4a6e.' },
  backgroundColor: { about: 'The colour of the background, such as #ffffff.' },
  frameText: { about: `A caption of at most ${frameTextLengthMax} characters, in a frame.`, width: 18 },
  styleJson: {
    about: 'A JSON object with any other part of the look. It takes precedence over all columns.',
    width: 24,
  },
  password: { about: 'Scans ask for this password.' },
  expiresAt: {
    about:
      'When the code expires, in ISO 8601 and in the future. Default time zone: UTC. A date alone means the beginning of that day.',
    width: 22,
    format: 'day',
  },
  maxScans: {
    about: 'How many scans the code redirects, a whole number. After that it shows that it has ended.',
    format: 'number',
  },
  alias: { about: 'A further short path of the code, such as summer-sale.', width: 18 },
  aliasDomain: { about: 'The domain of the alias. Default: the primary domain, if there is one.', width: 18 },
  tags: { about: 'Tags, separated by |, each at most 50 characters.', width: 18 },
  folderId: { about: 'The id of the folder that the code is put into.', width: 16 },
  wifiSsid: { about: 'The name of the network, for the type wifi.' },
  wifiPassword: { about: 'The password of the network.' },
  wifiEncryption: {
    about: 'Default: WPA if there is a password, otherwise nopass.',
    choices: ['WPA', 'WEP', 'nopass'],
  },
  emailTo: { about: 'The address of the recipient, for the type email.', width: 22 },
  emailSubject: { about: 'The subject of the message.', width: 18 },
  emailBody: { about: 'The text of the message.', width: 18 },
  smsPhone: { about: 'The number of the recipient, for the type sms.', width: 18 },
  smsMessage: { about: 'The text of the message.', width: 18 },
  vcardFirstName: { about: 'For the type vcard.' },
  vcardLastName: { about: 'For the type vcard.' },
  vcardPhone: { about: 'For the type vcard.', width: 18 },
  vcardEmail: { about: 'For the type vcard.', width: 22 },
  vcardOrganization: { about: 'For the type vcard.', width: 18 },
  vcardWebsite: { about: 'For the type vcard.', width: 22 },
  externalId: {
    about: 'Your own id of the code, at most 255 characters. No two codes have the same.',
    width: 18,
  },
  notes: { about: 'Notes for people, at most 5000 characters.', width: 24 },
} as const satisfies Record<string, Column>;

export type ColumnName = keyof typeof columns;
export const columnNames = Object.keys(columns) as ColumnName[];

/** The non-empty cells of a row, by column. */
export type Cells = Partial<Record<ColumnName, string>>;

/** Types that a spreadsheet cannot describe. */
type UndescribedType = Exclude<DataType, UploadType>;

/**
 * The columns of each type's structured data, with the fields they become; undefined for a type that rows cannot have.
 */
export const dataColumns: Record<UploadType, Partial<Record<ColumnName, string>>> &
  Record<UndescribedType, undefined> = {
  url: {},
  text: {},
  phone: {},
  geo: {},
  vcalendar: undefined,
  mecard: undefined,
  gs1: undefined,
  wifi: { wifiSsid: 'ssid', wifiPassword: 'password', wifiEncryption: 'encryption' },
  email: { emailTo: 'to', emailSubject: 'subject', emailBody: 'body' },
  sms: { smsPhone: 'phone', smsMessage: 'message' },
  vcard: {
    vcardFirstName: 'firstName',
    vcardLastName: 'lastName',
    vcardPhone: 'phone',
    vcardEmail: 'email',
    vcardOrganization: 'organization',
    vcardWebsite: 'website',
  },
};
