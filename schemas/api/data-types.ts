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

/** Whether a code of the type leads to a location rather than to a page with its payload. */
const leadOn = {
  url: true,
  text: false,
  email: false,
  wifi: false,
  vcard: false,
  sms: false,
  phone: false,
  geo: false,
  vcalendar: false,
  mecard: false,
  gs1: true,
} as const satisfies Record<DataType, boolean>;

/** Types of locations. */
export type LocationType = {
  [Type in DataType]: (typeof leadOn)[Type] extends true ? Type : never;
}[DataType];

export const isLocationType = (dataType: DataType): dataType is LocationType => leadOn[dataType];
