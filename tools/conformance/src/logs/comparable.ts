/** Normalizes log lines for comparison. Removes times, ports, random names, and the order of fields. */

/** Log fields whose values vary between runs or refer to source code. */
const varying: ReadonlySet<string> = new Set(['remote_port', 'err_id', 'err_trace', 'uuid', 'Server', 'error']);

/** Parses a log line from any encoder. Parses its JSON part and keeps the text before it. */
export function comparableLine(line: string): unknown {
  const brace = line.indexOf('{');
  if (brace < 0) return withoutDigits(line);
  const close = line.lastIndexOf('}');
  const json = line.slice(brace, close + 1);
  return {
    before: withoutDigits(line.slice(0, brace)),
    after: line.slice(close + 1),
    spaced: json.includes('": '),
    fields: comparable('', JSON.parse(json)),
  };
}

function comparable(key: string, value: unknown): unknown {
  if (varying.has(key)) return '<varies>';
  if (key === 'duration') return typeof value;
  if (typeof value === 'number') return value > 1e8 ? '<time>' : value;
  if (typeof value === 'string') return /\d\d:\d\d/.test(value) ? withoutDigits(value) : value;
  if (Array.isArray(value)) return value.map((item) => comparable('', item));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    // Caddy logs a missing Content-Type as an empty list.
    .filter(([name, item]) => !(name === 'Content-Type' && Array.isArray(item) && item.length === 0))
    .map(([name, item]) => [name, comparable(name, item)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function withoutDigits(text: string): string {
  return text.replaceAll(/(?<=\.)\d+/g, '0').replaceAll(/\d/g, (digit) => (text.includes(':') ? '0' : digit));
}
