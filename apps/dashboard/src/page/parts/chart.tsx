/** Small line charts over time, with gaps for missing data. A visually hidden table contains the latest values. */
import { clock } from '../base/format.ts';
import { Live } from './live.tsx';

/** A point; `null` if its value is unknown. */
type Point = readonly [at: number, value: number | null];

interface ChartProps {
  readonly title: string;
  /** Unit after the value, such as ` req/s`; empty if `format` includes the unit. */
  readonly unit?: string;
  readonly values: readonly Point[];
  readonly format: (value: number) => string;
  readonly health?: 'ok' | 'bad';
}

const width = 300;
const height = 72;

export function Chart({ title, unit = '', values, format, health = 'ok' }: ChartProps) {
  const known = values.flatMap(([, value]) => value ?? []);
  const last = values.at(-1)?.[1] ?? null;
  const max = Math.max(...known, Number.MIN_VALUE);
  const [from, to] = [values[0]?.[0] ?? 0, values.at(-1)?.[0] ?? 0];
  const x = (at: number): string => (((at - from) / Math.max(to - from, 1)) * width).toFixed(1);
  const y = (value: number): string => (height - 4 - (value / max) * (height - 8)).toFixed(1);
  return (
    <figure class={`chart ${health}`}>
      <figcaption>
        <span>{title}</span>
        <strong>
          <Live text={last === null ? '–' : format(last) + unit} />
        </strong>
      </figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
        <polyline class="ground" points={`0,${height - 1} ${width},${height - 1}`} />
        {pieces(values).map((piece) => {
          const line = piece.map(([at, value]) => `${x(at)},${y(value)}`).join(' ');
          return (
            <g key={piece[0]?.[0]}>
              <polygon
                points={`${x(piece[0]?.[0] ?? from)},${height} ${line} ${x(piece.at(-1)?.[0] ?? to)},${height}`}
              />
              <polyline points={line} />
            </g>
          );
        })}
      </svg>
      <div class="scale">
        <span>{values.length === 0 ? '' : `since ${clock(from)}`}</span>
        <Live text={`max ${format(known.length === 0 ? 0 : max)}`} />
      </div>
      <table class="unseen">
        <caption>{title + unit}</caption>
        <tbody>
          {values.slice(-10).map(([at, value]) => (
            <tr key={at}>
              <th scope="row">{clock(at)}</th>
              <td>{value === null ? 'unknown' : format(value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}

/** Returns the segments between gaps. Segments of a single point are omitted, because they would not be visible as a line. */
function pieces(values: readonly Point[]): readonly (readonly (readonly [number, number])[])[] {
  const found: [number, number][][] = [[]];
  for (const [at, value] of values) {
    if (value === null) found.push([]);
    else found.at(-1)?.push([at, value]);
  }
  return found.filter(({ length }) => length > 1);
}
