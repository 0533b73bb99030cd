/** The rows of batches: plain ones, and ones that use most of what a style has. */

export interface BulkRow {
  uid: string;
  data: string;
  [key: string]: unknown;
}

let codes = 0;

/** A destination that no code had before. */
const plain = (): BulkRow => {
  const n = codes++;
  return { uid: `row ${n}`, data: `https://example.com/landing/page?table=${n}` };
};

const gradient = (to: string) => ({
  type: 'linear',
  rotation: 0.7,
  colorStops: [
    { offset: 0, color: '#102a43' },
    { offset: 1, color: to },
  ],
});

const styled = (color: string): BulkRow => ({
  ...plain(),
  name: 'Table 7',
  dotsOptions: { type: 'rounded', color: gradient(color) },
  cornersSquareOptions: { type: 'extra-rounded', color: '#102a43' },
  cornersDotOptions: { type: 'dot', color: '#102a43' },
  backgroundOptions: { color: '#ffffff' },
  frame: { id: 'banner', text: 'Scan me', color: '#102a43', textColor: '#ffffff' },
});

/** Dark enough to be read: the first digit of each channel stays below 8. */
const darkColor = (n: number): string => {
  const channel = (value: number) => (value % 128).toString(16).padStart(2, '0');
  return `#${channel(n)}${channel(n >> 7)}${channel(n * 37)}`;
};

let styles = 0;

export const kindsOfRows = {
  plain,
  styled: () => styled('#7b1e3a'),
  distinct: () => styled(darkColor(styles++)),
} as const satisfies Record<string, () => BulkRow>;

export type KindOfRows = keyof typeof kindsOfRows;

export const newRows = (kind: KindOfRows, count: number): BulkRow[] =>
  Array.from({ length: count }, kindsOfRows[kind]);
