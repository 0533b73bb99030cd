/** `geo:` (RFC 5870), or a bare `latitude,longitude`. */
import { encodePart } from './links.ts';

export interface Geo {
  /** Degrees, -90 to 90; north is positive. */
  latitude: number;
  /** Degrees, -180 to 180; east is positive. */
  longitude: number;
  /** The label of the pin on Android's maps: the `q` of a geo URI. */
  label?: string;
}

/**
 * After a URI's coordinates there may be an altitude, parameters and a query; after bare ones nothing: 52,52; 13,40 is
 * another place.
 */
const coordinates =
  /^(?:geo:\s*([-+]?\d{1,3}(?:\.\d{1,15})?)\s*,\s*([-+]?\d{1,3}(?:\.\d{1,15})?)(?![\d.])(.*)|([-+]?\d{1,3}(?:\.\d{1,15})?)\s*,\s*([-+]?\d{1,3}(?:\.\d{1,15})?))$/is;

/** `59.3,18.0(Harbour)` and `Harbour` name a place; bare coordinates do not. */
const labelOf = (query: string): string => {
  const open = query.indexOf('(');
  if (open >= 0 && query.endsWith(')')) return query.slice(open + 1, -1);
  return /\p{L}/u.test(query) ? query : '';
};

/** @returns undefined for anything that is not a place on Earth, including RFC 5870's other reference systems */
export const parseGeo = (payload: string): Geo | undefined => {
  const match = coordinates.exec(payload.trim());
  if (!match) return undefined;
  const [, uriLatitude, uriLongitude, rest = '', bareLatitude, bareLongitude] = match;
  const latitude = Number(uriLatitude ?? bareLatitude);
  const longitude = Number(uriLongitude ?? bareLongitude);
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return undefined;
  if (/;crs=/i.test(rest) && !/;crs=wgs84(;|\?|$)/i.test(rest)) return undefined;
  const query = new URLSearchParams(rest.slice(rest.indexOf('?') + 1)).get('q') ?? '';
  const label = labelOf(query.trim());
  return { latitude, longitude, ...(label && { label }) };
};

/** Seven decimals are a centimetre; never `1e-7`, which maps cannot read. */
const degrees = (value: number): string =>
  value
    .toFixed(7)
    .replace(/\.?0+$/, '')
    .replace(/^-0$/, '0');

export const writeCoordinates = ({ latitude, longitude }: Geo): string =>
  `${degrees(latitude)},${degrees(longitude)}`;

export const writeGeoUri = (geo: Geo): string => {
  const place = writeCoordinates(geo);
  // Without `q` Android shows the area but no pin.
  return `geo:${place}?q=${place}${geo.label ? `(${encodePart(geo.label)})` : ''}`;
};
