/**
 * Opens a compact JWE (RFC 7516) with WebCrypto, and shows its content like the page of an unsealed code. The key stays
 * in this page, which cannot connect to anything.
 *   AES: a passphrase, PBES2-HS256+A128KW (RFC 7518, section 4.8)   RSA: a private key, RSA-OAEP-256 (section 4.3)
 * Both hold an A256GCM content (section 5.3).
 */

import { filled } from '#shared/pages/filled.ts';
import { deviceOf } from '../content/fragments.ts';
import { showText } from '../content/text.ts';
import { enliven, pageData } from './enliven.js';

/** More would keep a phone busy for many seconds; an honestly sealed code does not ask for that. */
const iterationsMax = 5_000_000;
const keyFileBytesMax = 65_536;

const { language, sealed: words, words: viewWords } = pageData;

/** An error with a message for the person who holds the phone. */
class Refusal extends Error {}

const utf8 = new TextEncoder();

/** Base64, plain or url-safe. Throws a DOMException for anything else. */
const fromBase64 = (text) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));

const readHeader = (encoded, algorithm) => {
  const header = JSON.parse(new TextDecoder().decode(fromBase64(encoded)));
  const isKnown = header.alg === algorithm && header.enc === 'A256GCM' && !header.zip && !header.crit;
  if (!isKnown) throw new Refusal(words.unknownSeal);
  return header;
};

/** The key that wraps the content's key, from a passphrase. */
const passphraseKey = async (passphrase, { alg, p2s, p2c }) => {
  const salt = fromBase64(p2s);
  if (!Number.isInteger(p2c) || p2c < 1 || p2c > iterationsMax || salt.length < 8) {
    throw new Refusal(words.tooMuchWork);
  }
  const prefixed = new Uint8Array([...utf8.encode(alg), 0, ...salt]);
  const password = await crypto.subtle.importKey('raw', utf8.encode(passphrase), 'PBKDF2', false, [
    'deriveKey',
  ]);
  const derivation = { name: 'PBKDF2', hash: 'SHA-256', salt: prefixed, iterations: p2c };
  return crypto.subtle.deriveKey(derivation, password, { name: 'AES-KW', length: 128 }, false, ['unwrapKey']);
};

const privateKey = async (pem) => {
  if (/ENCRYPTED PRIVATE KEY/.test(pem)) {
    throw new Refusal(words.protectedKey);
  }
  if (/RSA PRIVATE KEY/.test(pem)) {
    throw new Refusal(filled(words.oldKey, { command: 'openssl pkcs8 -topk8 -nocrypt -in key.pem' }));
  }
  const body = /-----BEGIN PRIVATE KEY-----([\s\S]+?)-----END PRIVATE KEY-----/.exec(pem)?.[1];
  try {
    const der = fromBase64(body.replace(/\s/g, ''));
    const algorithm = { name: 'RSA-OAEP', hash: 'SHA-256' };
    return await crypto.subtle.importKey('pkcs8', der, algorithm, false, ['unwrapKey']);
  } catch {
    throw new Refusal(filled(words.noKey, { begin: '-----BEGIN PRIVATE KEY-----' }));
  }
};

const kinds = {
  AES: {
    algorithm: 'PBES2-HS256+A128KW',
    wrapping: 'AES-KW',
    read: passphraseKey,
  },
  RSA: {
    algorithm: 'RSA-OAEP-256',
    wrapping: 'RSA-OAEP',
    read: privateKey,
  },
};

const unwrap = async (wrapped, key, { wrapping }) => {
  try {
    return await crypto.subtle.unwrapKey('raw', wrapped, key, wrapping, 'AES-GCM', false, ['decrypt']);
  } catch {
    throw new Refusal(words.wrong);
  }
};

/** The plaintext. Throws a Refusal for a wrong key, and other errors for an invalid JWE. */
const open = async (jwe, by, secret) => {
  const kind = kinds[by];
  const [head, wrapped, iv, content, tag] = jwe.split('.');
  const header = readHeader(head, kind.algorithm);
  const wrappingKey = await kind.read(secret, header);
  const key = await unwrap(fromBase64(wrapped), wrappingKey, kind);
  const algorithm = { name: 'AES-GCM', iv: fromBase64(iv), additionalData: utf8.encode(head) };
  const sealed = new Uint8Array([...fromBase64(content), ...fromBase64(tag)]);
  return new TextDecoder().decode(await crypto.subtle.decrypt(algorithm, key, sealed));
};

const byId = (id) => document.getElementById(id);

/** Never markup: sealed content is not trusted either. */
const makeElement = ({ tag, attributes, children }) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...makeParts(children));
  return element;
};

/** Nodes and texts. */
const makeParts = (part) => {
  if (!part) return [];
  if (Array.isArray(part)) return part.flatMap(makeParts);
  return [typeof part === 'string' ? part : makeElement(part)];
};

/** The same as in content/index.ts. */
const uidOf = async (text) =>
  Array.from(new Uint8Array(await crypto.subtle.digest('SHA-256', utf8.encode(text))), (byte) =>
    byte.toString(16).padStart(2, '0'),
  )
    .join('')
    .slice(0, 32);

/** Shows the code's content in place of the form, and gives the page its title. */
const display = ({ title, lead = '', body }) => {
  const lines = document.querySelector('.top .sub');
  const heading = document.querySelector('h1');
  byId('form').hidden = true;
  byId('secret').value = '';
  heading.textContent = title;
  document.title = title;
  lines.textContent = lead;
  lines.hidden = lead === '';
  byId('result').replaceChildren(...makeParts(body));
  byId('result').hidden = false;
  enliven();
  heading.tabIndex = -1;
  heading.focus();
};

const complain = (message) => {
  byId('error').textContent = message;
  byId('secret').setAttribute('aria-invalid', 'true');
  byId('secret').focus();
};

/**
 * @param show makes the view of a payload; returns undefined if the payload does not match its type and is shown as
 * text
 */
const openAndDisplay = async (show) => {
  const { jwe, by } = byId('form').dataset;
  const text = await open(jwe, by, byId('secret').value);
  const uid = await uidOf(text);
  const viewer = { language, words: viewWords, device: deviceOf(navigator.userAgent), uid: () => uid };
  display(show(text, viewer) ?? showText(text, viewer));
};

const onSubmit = async (show) => {
  byId('error').textContent = '';
  byId('secret').removeAttribute('aria-invalid');
  if (!globalThis.crypto?.subtle) {
    return complain(words.needsHttps);
  }
  byId('open').disabled = true;
  try {
    await openAndDisplay(show);
  } catch (reason) {
    complain(reason instanceof Refusal ? reason.message : words.damaged);
  } finally {
    byId('open').disabled = false;
  }
};

/** The script of a page that opens codes of one type. */
export const openWith = (show) => {
  byId('form').addEventListener('submit', (event) => {
    event.preventDefault();
    onSubmit(show);
  });
  byId('file')?.addEventListener('change', async ({ target }) => {
    const [picked] = target.files;
    if (!picked) return;
    if (picked.size > keyFileBytesMax) complain(words.largeFile);
    else byId('secret').value = await picked.text();
  });
};
