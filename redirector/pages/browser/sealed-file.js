/** A file to keep, of a sealed contact or event. */
import { linkTo } from './sealed-views.js';

/** A `data:` link, which phones save under its name without script. */
export const fileButton = (name, extension, type, text, label) => {
  const plain = name
    .normalize('NFKD')
    .replace(/[^a-zA-Z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-+|-+$/g, '');
  const base64 = btoa(String.fromCharCode(...new TextEncoder().encode(text)));
  const button = linkTo(`data:${type};charset=utf-8;base64,${base64}`, label, 'button');
  button.download = `${plain.toLowerCase() || 'file'}.${extension}`;
  return button;
};
