/** The digits of a number as `tel:` and `sms:` take them; empty if there are none. */
export const dialable = (text) =>
  /\d/.test(text) ? text.replace(/[^0-9+*#,;]/g, '').replaceAll('#', '%23') : '';
