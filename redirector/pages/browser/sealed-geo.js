/** A sealed place: in the phone's own maps, or on a map of no vendor. */
import { card, copyButton, decoded, linkTo, row, statusLine, views } from './sealed-views.js';

/** Seven decimals are a centimetre. */
const degrees = (text) =>
  Number(text)
    .toFixed(7)
    .replace(/\.?0+$/, '')
    .replace(/^-0$/, '0');

const showGeo = (text) => {
  const match =
    /^(?:geo:)?\s*([-+]?\d{1,3}(?:\.\d+)?)\s*,\s*([-+]?\d{1,3}(?:\.\d+)?)(?![\d.])([\s\S]*)$/i.exec(
      text.trim(),
    );
  if (!match || Math.abs(match[1]) > 90 || Math.abs(match[2]) > 180) return undefined;
  const [latitude, longitude] = [degrees(match[1]), degrees(match[2])];
  const place = `${latitude},${longitude}`;
  const query = decoded(/[?&]q=([^&]*)/i.exec(match[3])?.[1] ?? '').trim();
  const label = /\(([\s\S]*)\)$/.exec(query)?.[1] ?? (/\p{L}/u.test(query) ? query : '');
  const named = label && `(${encodeURIComponent(label)})`;
  const maps = `https://maps.apple.com/?ll=${place}&q=${encodeURIComponent(label || place)}`;
  // Safari does not know geo: links; Apple's maps have their own.
  const isApple = /iPhone|iPad|iPod/.test(navigator.userAgent);
  return {
    title: label || 'A place on the map',
    content: [
      card(row('Latitude, longitude', place, copyButton(place, 'the coordinates'))),
      linkTo(isApple ? maps : `geo:${place}?q=${place}${named}`, 'Open in maps', 'button'),
      linkTo(
        `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`,
        'See it on OpenStreetMap',
        'button second',
      ),
      statusLine(),
    ],
  };
};

views.geo = showGeo;
