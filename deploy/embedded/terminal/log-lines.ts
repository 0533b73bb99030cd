/** Log lines for a terminal. */

export interface LogLine {
  /** A warning or worse, or an unstructured line, such as from a crash. */
  important: boolean;
  text: string;
}

const textMax = 300;
/** pino's number for `warn`. */
const warnLevel = 40;

interface StructuredLine {
  level?: number;
  msg?: string;
  err?: { message?: string };
}

const parse = (line: string): StructuredLine | undefined => {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
};

export const readLogLine = (line: string): LogLine => {
  const structured = parse(line);
  if (!structured) return { important: line.trim() !== '', text: line.trim().slice(0, textMax) };
  const { level = 0, msg = '', err } = structured;
  const text = [msg, err?.message].filter(Boolean).join(': ') || line;
  return { important: level >= warnLevel, text: text.replaceAll('\n', ' ').slice(0, textMax) };
};
