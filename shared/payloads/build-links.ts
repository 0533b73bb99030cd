/** Payloads that are one link: `mailto:`, `SMSTO:`, `tel:`, `geo:`. */
import type { FieldsOf } from '#schemas/api/payloads.ts';
import { writeMailto } from './email.ts';
import { writeCoordinates } from './geo.ts';
import { dialable } from './links.ts';
import { writeTelUri } from './phone.ts';

export const buildEmail = ({ to, subject, body }: FieldsOf<'email'>): string =>
  writeMailto({ to, ...(subject && { subject }), ...(body && { body }) });

/** The form that every barcode reader knows; the message follows the second colon unchanged. */
export const buildSms = ({ phone, message }: FieldsOf<'sms'>): string =>
  `SMSTO:${dialable(phone).replaceAll('%23', '#')}${message ? `:${message}` : ''}`;

export const buildPhone = ({ phone }: FieldsOf<'phone'>): string => writeTelUri({ phone });

/** RFC 5870, in WGS 84, to seven decimals. */
export const buildGeo = (place: FieldsOf<'geo'>): string => `geo:${writeCoordinates(place)}`;
