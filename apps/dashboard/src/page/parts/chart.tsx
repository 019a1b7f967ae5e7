/** A line over time. The same numbers stand in a table that is hidden from the eye. */
import { clock } from '../base/format.ts';
import { Live } from './live.tsx';

/** A chart. */
interface ChartProps {
  readonly title: string;
  readonly values: readonly (readonly [at: number, value: number])[];
  readonly format: (value: number) => string;
  readonly health?: 'ok' | 'bad';
}

const width = 300;
const height = 72;

/** Draws it. */
export function Chart({ title, values, format, health = 'ok' }: ChartProps) {
  const last = values.at(-1)?.[1] ?? 0;
  const most = Math.max(...values.map(([, value]) => value), Number.MIN_VALUE);
  const step = width / Math.max(values.length - 1, 1);
  const line = values.map(
    ([, value], index) => `${(index * step).toFixed(1)},${(height - 4 - (value / most) * (height - 8)).toFixed(1)}`,
  );
  return (
    <figure class={`chart ${health}`}>
      <figcaption>
        <span>{title}</span>
        <strong>
          <Live text={format(last)} />
        </strong>
      </figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
        <polyline class="ground" points={`0,${height - 1} ${width},${height - 1}`} />
        {line.length > 1 && <polygon points={`0,${height} ${line.join(' ')} ${width},${height}`} />}
        {line.length > 1 && <polyline points={line.join(' ')} />}
      </svg>
      <div class="scale">
        <span>{values[0] === undefined ? '' : clock(values[0][0])}</span>
        <Live text={`most ${format(most === Number.MIN_VALUE ? 0 : most)}`} />
      </div>
      <table class="unseen">
        <caption>{title}</caption>
        <tbody>
          {values.slice(-10).map(([at, value]) => (
            <tr key={at}>
              <th scope="row">{clock(at)}</th>
              <td>{format(value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}
