/** The comparison as a picture: CPU per redirect, one bar a server. SVG, written by hand: it is rectangles and text. */
import type { Machine } from '../measure/machine.ts';
import type { ServerFigures } from './rows/servers.ts';

const width = 860;
const rowHeight = 44;
const barLeft = 300;
const barRight = 700;
const top = 92;

const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const bar = (server: ServerFigures, index: number, cpuUsMax: number): string => {
  const y = top + index * rowHeight;
  const length = ((barRight - barLeft) * server.cpuUs) / cpuUsMax;
  const colour = server.kind === 'waymark' ? '#b4431f' : '#9aa5b1';
  const perSecond = Math.round(server.perSecond).toLocaleString('en-US');
  return `<text x="${barLeft - 14}" y="${y + 20}" text-anchor="end" fill="#16202e">${escapeText(server.label)}</text>
<rect x="${barLeft}" y="${y + 4}" width="${length.toFixed(1)}" height="24" rx="4" fill="${colour}"/>
<text x="${(barLeft + length + 10).toFixed(1)}" y="${y + 20}" fill="#16202e">${server.cpuUs.toFixed(1)} µs <tspan fill="#5a6675">${perSecond}/s</tspan></text>`;
};

/** Kutt takes fifty times as long: with it in the picture nothing else could be told apart. It is in the table. */
export const drawServers = (
  { date, machine }: { date: string; machine: Machine },
  all: readonly ServerFigures[],
): string => {
  const servers = all.filter(({ kind }) => kind !== 'kutt').toSorted((a, b) => a.cpuUs - b.cpuUs);
  const cpuUsMax = Math.max(...servers.map(({ cpuUs }) => cpuUs));
  const height = top + servers.length * rowHeight + 24;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="15">
<title>CPU per redirect of each server</title>
<rect width="${width}" height="${height}" fill="#fff"/>
<text x="24" y="36" font-size="20" font-weight="600" fill="#16202e">CPU per redirect, user and system; less is better</text>
<text x="24" y="62" font-size="13" fill="#5a6675">${escapeText(`${machine.cpu}, one core, ${date.slice(0, 10)}; beside it: redirects a second at the peak`)}</text>
${servers.map((server, index) => bar(server, index, cpuUsMax)).join('\n')}
</svg>
`;
};
