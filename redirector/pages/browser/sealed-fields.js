/** Payloads of fields: WIFI, MECARD, MATMSG. */
import { split } from './sealed-views.js';

/** The values of `PREFIX:KEY:value;…` by key, still escaped; undefined for another prefix. */
export const fieldsOf = (text, prefix) => {
  if (!text.trim().toUpperCase().startsWith(prefix)) return undefined;
  const fields = split(text.trim().slice(prefix.length), ';').map((part) => /^([^:]+):([\s\S]*)$/.exec(part));
  return (key) => fields.filter((field) => field?.[1].trim().toUpperCase() === key).map((field) => field[2]);
};
