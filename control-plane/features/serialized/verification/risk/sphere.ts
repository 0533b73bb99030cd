/** Distances on the earth as a sphere: within 0.6% of the true ones. */

const earthRadiusKm = 6371;

/** In degrees. */
export interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

/** Every place up to this far from its centre. */
export interface Circle extends Place {
  readonly radiusKm: number;
}

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** Along a great circle, by the haversine formula. */
export const distanceKm = (a: Place, b: Place): number => {
  const halfLatitude = Math.sin(radians(b.latitude - a.latitude) / 2);
  const halfLongitude = Math.sin(radians(b.longitude - a.longitude) / 2);
  const h =
    halfLatitude ** 2 + Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * halfLongitude ** 2;
  return 2 * earthRadiusKm * Math.asin(Math.min(1, Math.sqrt(h)));
};
