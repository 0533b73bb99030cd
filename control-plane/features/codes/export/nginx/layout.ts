/** The parts of the file around the table of codes. */
import { aliasVariable, answerVariable } from './entries.ts';
import { dollarVariable } from './words.ts';

const idLength = 9;

export interface FileFacts {
  /** The owner of the codes, such as `all workspaces`. */
  whose: string;
  /** `https://qr.example.com` */
  qrHost: string;
  now: Date;
  /** About how many codes follow. */
  codes: number;
}

/** 256 bytes hold at most seven codes per bucket, which is enough if the table has twice as many buckets as codes. */
const hashSizeFor = (codes: number): number => 2 ** Math.max(11, Math.ceil(Math.log2(codes * 2 + 1)));

const places = Array.from({ length: idLength }, (_, place) => place);

const caseMaps = places
  .map((place) => `map $waymark_id $waymark_case_${place} { "~^.{${place}}[A-Z]" U; default l; }`)
  .join('\n');

const key = `"$waymark_id-${places.map((place) => `\${waymark_case_${place}}`).join('')}"`;

/** Everything before the first map of codes. */
export const head = ({ whose, qrHost, now, codes }: FileFacts): string => `\
# The codes of ${whose} at ${now.toISOString()}, for nginx (1.11.2 or newer) alone.
#
# Put this file where nginx includes it in its http block, look whether it is understood, and load it:
#
#   cp waymark-nginx.conf /etc/nginx/conf.d/waymark.conf
#   nginx -t && nginx -s reload
#
# and let the name ${new URL(qrHost).hostname} lead to this machine. The server is at the end of the file${
  qrHost.startsWith('https:') ? ', with the lines\n# for TLS, which its printed codes need' : ''
}.
# nginx takes one such file. Whoever operates Waymark writes one with the codes of all workspaces by the admin verb export-nginx;
# codes of another file can also be added to the map: an entry is a line.
#
# What nginx cannot decide is noted behind each code that is affected: protected codes are 403, inactive and expired ones 410, and
# codes that have not started 404; payloads are shown as text; a campaign leads to its heaviest variant; routing rules, deep links
# and parameters are left out; an end or another destination that is still to come and a cap that is not reached are not enforced. Scans are not counted. A code that is not here is 404.

# If nginx says that one of these is a duplicate, leave the larger one.
map_hash_bucket_size 256;
map_hash_max_size ${hashSizeFor(codes)};
variables_hash_bucket_size 256;
variables_hash_max_size 65536;

# nginx looks words up without regard to case. Ids differ by it, so that the key has both.
${caseMaps}
geo $${dollarVariable} { default "$"; }

`;

/** Port 80 works at once; the rest depends on the machine, so its owner decides. */
const listen = (qrHost: string): string => {
  const { protocol, port } = new URL(qrHost);
  if (protocol === 'http:') return `  listen ${port || '80'};\n  #listen [::]:${port || '80'};`;
  return `  listen 80;
  #listen [::]:80;
  # The printed codes begin with https: give the certificate, and take the signs away.
  #listen ${port || '443'} ssl;
  #listen [::]:${port || '443'} ssl;
  #ssl_certificate /etc/ssl/waymark/certificate.pem;
  #ssl_certificate_key /etc/ssl/waymark/key.pem;`;
};

/** What the file has. */
export interface Written {
  codes: number;
  /** How many maps there are. */
  answerMaps: number;
  aliasMaps: number;
  /** Prefixes that codes were printed with, other than QR_HOST, such as `https://go.example.com/` */
  linkBases: Iterable<string>;
  /** Domains with aliases. */
  aliasHosts: Iterable<string>;
}

/** The key of an alias is in one of its maps; of an id it is made. */
const keyMap = (aliasMaps: number): string => {
  if (aliasMaps === 0) return `map "" $waymark_key { default ${key}; }`;
  const keys = Array.from({ length: aliasMaps }, (_, map) => `$${aliasVariable(map + 1)}`).join('');
  return `map "${keys}" $waymark_alias { default "${keys}"; }
map $waymark_alias $waymark_key { default $waymark_alias; "" ${key}; }`;
};

/** Each code is in one of the maps: the others give an empty text. */
const answers = (maps: number): string =>
  Array.from(
    { length: maps },
    (_, map) => `    set $waymark_answer "$waymark_answer$${answerVariable(map + 1)}";`,
  ).join('\n');

/** Prefixes that codes were printed with, other than QR_HOST. Any other text is kept out of the file. */
const linkBaseShape = /^https:\/\/([a-z0-9.-]+)(\/(?:[a-z0-9-]+\/)?)$/;

interface PrintedWith {
  hosts: readonly string[];
  /** Without the trailing slash. */
  paths: readonly string[];
}

const printedWith = ({ linkBases, aliasHosts }: Pick<Written, 'linkBases' | 'aliasHosts'>): PrintedWith => {
  const hosts = new Set([...aliasHosts].filter((host) => /^[a-z0-9.-]+$/.test(host)));
  const paths = new Set(['/r']);
  for (const linkBase of linkBases) {
    const [, host, path] = linkBaseShape.exec(linkBase) ?? [];
    if (host === undefined || path === undefined) continue;
    hosts.add(host);
    paths.add(path.slice(0, -1));
  }
  return { hosts: [...hosts].sort(), paths: [...paths].sort() };
};

/** In each location that answers. */
const answerBlock = (maps: number): string => `\
    add_header Cache-Control "private, no-store" always;
    add_header X-Content-Type-Options nosniff always;
    set $waymark_answer "";
${answers(maps)}
    if ($request_method !~ "^(GET|HEAD)$") { return 405; }
    if ($waymark_answer ~ "^302 (?<waymark_location>.+)$") { return 302 $waymark_location; }
    if ($waymark_answer ~ "(?s)^200 (?<waymark_text>.*)$") { return 200 $waymark_text; }
    if ($waymark_answer = 410) { return 410 "This code no longer leads anywhere.\\n"; }
    if ($waymark_answer = 403) { return 403 "This code is protected, and cannot be opened here.\\n"; }
    return 404 "There is no such code.\\n";`;

/** For names of any length and number. */
const domainNotes = ({ hosts }: PrintedWith): string =>
  hosts.length === 0
    ? ''
    : `
# Codes were also printed with the domains of workspaces: the certificate has to be for all names of the server, and each of them
# has to lead to this machine.
server_names_hash_bucket_size 512;
server_names_hash_max_size 65536;
`;

/** Everything after the last map of codes. */
export const tail = (qrHost: string, written: Written): string => {
  const printed = printedWith(written);
  const answer = answerBlock(written.answerMaps);
  return `${domainNotes(printed)}
${keyMap(written.aliasMaps)}

server {
${listen(qrHost)}
  server_name ${[new URL(qrHost).hostname, ...printed.hosts].join(' ')};
  server_tokens off;
  default_type text/plain;
  charset utf-8;

  location ~ "^(?:${printed.paths.join('|')})/(?<waymark_id>[1-9A-HJ-NP-Za-km-z]{${idLength}})/?$" {
${answer}
  }
${
  written.aliasMaps === 0
    ? ''
    : `
  location ~ "^(?<waymark_path>/(?:r/)?[^/]+)/?$" {
${answer}
  }
`
}
  location / { return 404 "There is nothing here.\\n"; }
}
# The end: ${written.codes} codes.
`;
};
