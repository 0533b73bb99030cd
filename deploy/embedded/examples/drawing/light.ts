/** What all drawings share: the light from the upper left, the surfaces, the colours. */

/** Gradients and filters, by the id with which drawings refer to them. */
export const definitions = `
<filter id="shadow" x="-40%" y="-40%" width="180%" height="180%"><feDropShadow dx="7" dy="10" stdDeviation="8" flood-color="#1c0f08" flood-opacity="0.42"/></filter>
<filter id="near" x="-30%" y="-30%" width="160%" height="160%"><feDropShadow dx="1.6" dy="2.4" stdDeviation="1.6" flood-color="#1c0f08" flood-opacity="0.45"/></filter>
<filter id="soft" x="-30%" y="-30%" width="160%" height="160%"><feGaussianBlur stdDeviation="3"/></filter>
<filter id="softer" x="-50%" y="-50%" width="200%" height="200%"><feGaussianBlur stdDeviation="9"/></filter>
<filter id="crust" x="-5%" y="-5%" width="110%" height="110%">
  <feTurbulence type="fractalNoise" baseFrequency="0.055" numOctaves="4" seed="4" result="noise"/>
  <feDiffuseLighting in="noise" surfaceScale="5" diffuseConstant="1.15" lighting-color="#fff4e2" result="lit"><feDistantLight azimuth="225" elevation="58"/></feDiffuseLighting>
  <feComposite in="SourceGraphic" in2="lit" operator="arithmetic" k1="1.06" k2="0" k3="0" k4="0" result="bumpy"/>
  <feComposite in="bumpy" in2="SourceGraphic" operator="in"/>
</filter>
<filter id="sauce" x="-5%" y="-5%" width="110%" height="110%">
  <feTurbulence type="fractalNoise" baseFrequency="0.035" numOctaves="3" seed="11" result="noise"/>
  <feSpecularLighting in="noise" surfaceScale="2.6" specularConstant="0.42" specularExponent="34" lighting-color="#ffdcb0" result="gloss"><feDistantLight azimuth="225" elevation="50"/></feSpecularLighting>
  <feComposite in="gloss" in2="SourceGraphic" operator="in" result="inside"/>
  <feMerge><feMergeNode in="SourceGraphic"/><feMergeNode in="inside"/></feMerge>
</filter>
<filter id="flour" x="-20%" y="-20%" width="140%" height="140%">
  <feTurbulence type="fractalNoise" baseFrequency="0.09" numOctaves="4" seed="21" result="noise"/>
  <feColorMatrix in="noise" values="0 0 0 0 1  0 0 0 0 0.97  0 0 0 0 0.91  0 0 0 5.2 -2.35" result="dust"/>
  <feGaussianBlur in="SourceAlpha" stdDeviation="9" result="wide"/>
  <feComposite in="dust" in2="wide" operator="in"/>
</filter>
<filter id="wood" x="0" y="0" width="100%" height="100%">
  <feTurbulence type="fractalNoise" baseFrequency="0.0035 0.085" numOctaves="4" seed="9" result="noise"/>
  <feColorMatrix in="noise" values="0 0 0 0 0.07  0 0 0 0 0.05  0 0 0 0 0.04  0 0 0 1.15 -0.46" result="grain"/>
  <feComposite in="grain" in2="SourceGraphic" operator="in" result="inside"/>
  <feMerge><feMergeNode in="SourceGraphic"/><feMergeNode in="inside"/></feMerge>
</filter>
<filter id="cloth" x="0" y="0" width="100%" height="100%">
  <feTurbulence type="fractalNoise" baseFrequency="0.5 0.04" numOctaves="2" seed="3" result="warp"/>
  <feTurbulence type="fractalNoise" baseFrequency="0.04 0.5" numOctaves="2" seed="5" result="weft"/>
  <feComposite in="warp" in2="weft" operator="arithmetic" k2="0.5" k3="0.5" result="weave"/>
  <feColorMatrix in="weave" values="0 0 0 0 0  0 0 0 0 0  0 0 0 0 0  0 0 0 1.2 -0.5" result="threads"/>
  <feComposite in="threads" in2="SourceGraphic" operator="in" result="inside"/>
  <feMerge><feMergeNode in="SourceGraphic"/><feMergeNode in="inside"/></feMerge>
</filter>
<radialGradient id="loaf" cx="0.42" cy="0.38" r="0.66"><stop offset="0" stop-color="#d99a55"/><stop offset="0.45" stop-color="#b36a2a"/><stop offset="0.8" stop-color="#7f4118"/><stop offset="1" stop-color="#43200c"/></radialGradient>
<radialGradient id="golden" cx="0.4" cy="0.34" r="0.72"><stop offset="0" stop-color="#f3c478"/><stop offset="0.5" stop-color="#d68f3c"/><stop offset="1" stop-color="#8c4a17"/></radialGradient>
<radialGradient id="flat" cx="0.5" cy="0.5" r="0.5"><stop offset="0" stop-color="#efbf72"/><stop offset="0.78" stop-color="#e0a04c"/><stop offset="0.92" stop-color="#c77f34"/><stop offset="1" stop-color="#84481a"/></radialGradient>
<radialGradient id="china" cx="0.4" cy="0.36" r="0.7"><stop offset="0" stop-color="#fffdf8"/><stop offset="0.7" stop-color="#f3ece0"/><stop offset="1" stop-color="#d9cfbf"/></radialGradient>
<radialGradient id="stoneware" cx="0.4" cy="0.36" r="0.7"><stop offset="0" stop-color="#54686b"/><stop offset="0.75" stop-color="#3a4c50"/><stop offset="1" stop-color="#27363a"/></radialGradient>
<radialGradient id="iron" cx="0.4" cy="0.36" r="0.72"><stop offset="0" stop-color="#4a4644"/><stop offset="0.8" stop-color="#2a2726"/><stop offset="1" stop-color="#191716"/></radialGradient>
<radialGradient id="yolk" cx="0.38" cy="0.34" r="0.7"><stop offset="0" stop-color="#ffc637"/><stop offset="0.7" stop-color="#f39a16"/><stop offset="1" stop-color="#d97708"/></radialGradient>
<radialGradient id="berry" cx="0.36" cy="0.32" r="0.75"><stop offset="0" stop-color="#e8455a"/><stop offset="0.6" stop-color="#b3152f"/><stop offset="1" stop-color="#6f0a1d"/></radialGradient>
<radialGradient id="bilberry" cx="0.36" cy="0.32" r="0.75"><stop offset="0" stop-color="#7b86b8"/><stop offset="0.55" stop-color="#39406f"/><stop offset="1" stop-color="#1b1d3c"/></radialGradient>
<radialGradient id="tomato" cx="0.4" cy="0.35" r="0.7"><stop offset="0" stop-color="#f2694a"/><stop offset="0.7" stop-color="#d13a24"/><stop offset="1" stop-color="#9a1f14"/></radialGradient>
<linearGradient id="daylight" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#fff3d9" stop-opacity="0.28"/><stop offset="0.5" stop-color="#fff3d9" stop-opacity="0"/><stop offset="1" stop-color="#120804" stop-opacity="0.42"/></linearGradient>`;

export const greens = ['#5f8a3a', '#3f6d2e', '#7da64a', '#2f5a2a', '#94b75e'] as const;

/** A picture of these pixels. */
export const canvas = (width: number, height: number, drawing: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><defs>${definitions}</defs>${drawing}</svg>`;
