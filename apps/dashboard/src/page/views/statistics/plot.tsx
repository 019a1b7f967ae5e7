/** A chart with axes, and values at the cursor. Charts of a page share the cursor. */
import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { clock } from '../../base/format.ts';
import type { Values } from '../../state/stats-history.ts';

export interface Line {
  readonly label: string;
  /** Index of the color and dash pattern. The pattern distinguishes lines without color. */
  readonly look: number;
  readonly values: Values;
}

/** Props. Times in seconds since 1970. */
interface PlotProps {
  readonly title: string;
  /** Unit of the values, shown next to the title. */
  readonly unit: string;
  readonly times: readonly number[];
  readonly lines: readonly Line[];
  readonly from: number;
  readonly to: number;
  readonly format: (value: number) => string;
  /** Maximum of the axis, if the values are bounded. */
  readonly max?: number;
  /** Distances between axis marks. Default: round decimal numbers. */
  readonly steps?: readonly number[];
  /** Draws steps, with the area below filled. */
  readonly isStepped?: boolean;
}

const height = 180;
/** Charts with the same cursor. */
const shared = uPlot.sync('statistics');
const dashes: readonly number[][] = [[], [8, 4], [2, 3], [10, 3, 2, 3], [4, 4], []];

export function Plot(props: PlotProps) {
  const { title, unit, times, lines, format } = props;
  const frame = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const latest = useRef(props);
  latest.current = props;
  const cursor = useSignal<number | null>(null);
  const scheme = useColorScheme();
  const isNear = useIsNear(frame);
  const labels = lines.map(({ label }) => label).join();
  useEffect(() => {
    const element = frame.current;
    if (element === null || !isNear) return undefined;
    const made = new uPlot(
      optionsOf(latest, element, (at) => void (cursor.value = at)),
      dataOf(latest.current),
      element,
    );
    plot.current = made;
    const observer = new ResizeObserver(() => {
      // The observer also fires once initially.
      if (made.width !== element.clientWidth) made.setSize({ width: element.clientWidth, height });
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [scheme, labels, isNear]);
  useEffect(() => plot.current?.setData(dataOf(props)), [times, lines]);
  const last = times.length - 1;
  const shown = Math.min(cursor.value ?? last, last);
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (by === 0) return;
    event.preventDefault();
    const at = Math.max(0, Math.min(last, shown + by));
    for (const each of shared.plots) each.setCursor({ left: each.valToPos(times[at] ?? 0, 'x'), top: 0 });
  };
  return (
    <figure class="plot">
      <figcaption>
        <h2>
          {title} <span class="soft">{unit}</span>
        </h2>
        <time class="soft">{times[shown] === undefined ? '' : clock(times[shown] * 1000)}</time>
      </figcaption>
      <div
        ref={frame}
        class="canvas"
        tabIndex={0}
        role="group"
        aria-label={`${title}: arrow keys move the cursor`}
        onKeyDown={onKeyDown}
      />
      <ul class="legend">
        {lines.map(({ label, look, values }) => {
          const value = values[shown] ?? null;
          return (
            <li key={label}>
              <svg class={`key look-${look}`} viewBox="0 0 24 8" aria-hidden="true">
                <line x1="0" x2="24" y1="4" y2="4" stroke-dasharray={(dashes[look] ?? []).join(' ')} />
              </svg>
              {label} <strong>{value === null ? '–' : format(value)}</strong>{' '}
              <span class="soft">max {maxText(values, format)}</span>
            </li>
          );
        })}
      </ul>
    </figure>
  );
}

function maxText(values: Values, format: (value: number) => string): string {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? '–' : format(Math.max(...known));
}

function dataOf({ times, lines }: PlotProps): uPlot.AlignedData {
  return [times as number[], ...lines.map(({ values }) => values as (number | null)[])];
}

/** Returns true once an element is on the screen. Other elements are drawn when the user scrolls to them. */
function useIsNear(frame: RefObject<HTMLElement | null>): boolean {
  const isNear = useSignal(false);
  useEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        isNear.value = true;
        observer.disconnect();
      },
      { rootMargin: '200px' },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return isNear.value;
}

/** Returns the color scheme, because canvas colors do not follow a change between light and dark. */
function useColorScheme(): string {
  const query = '(prefers-color-scheme: dark)';
  const scheme = useSignal(matchMedia(query).matches ? 'dark' : 'light');
  useEffect(() => {
    const media = matchMedia(query);
    const change = (): void => void (scheme.value = media.matches ? 'dark' : 'light');
    media.addEventListener('change', change);
    return () => media.removeEventListener('change', change);
  }, []);
  return scheme.value;
}

function optionsOf(
  props: { readonly current: PlotProps },
  element: HTMLElement,
  onCursor: (at: number | null) => void,
): uPlot.Options {
  const style = getComputedStyle(element);
  const color = (name: string): string => style.getPropertyValue(name).trim();
  const { lines, isStepped = false, max } = props.current;
  const axis = {
    stroke: color('--soft'),
    font: `12px ${style.fontFamily}`,
    grid: { stroke: color('--line'), width: 1 },
    ticks: { show: false },
  };
  return {
    width: element.clientWidth,
    height,
    padding: [8, 20, 0, 0],
    legend: { show: false },
    cursor: { sync: { key: shared.key }, drag: { x: false, y: false }, y: false },
    scales: {
      x: { time: true, range: () => [props.current.from, props.current.to] },
      // Start at 0, so that heights are comparable. Without values, the axis is still drawn.
      y: { range: (_, __, highest) => [0, max ?? (highest > 0 ? highest * 1.1 : 1)] },
    },
    axes: [
      {
        ...axis,
        size: 28,
        space: 70,
        values: (_, splits) => splits.map((at) => timeText(at, props.current.to - props.current.from)),
      },
      {
        ...axis,
        ...(props.current.steps === undefined ? {} : { incrs: props.current.steps as number[] }),
        size: 64,
        values: (_, splits) => splits.map((value) => props.current.format(value)),
      },
    ],
    series: [
      {},
      ...lines.map(({ label, look }) => ({
        label,
        stroke: color(`--chart-${look}`),
        width: 1.5,
        dash: dashes[look] ?? [],
        points: { show: false },
        ...(isStepped && uPlot.paths.stepped !== undefined
          ? { paths: uPlot.paths.stepped({ align: 1 }), fill: `${color(`--chart-${look}`)}33` }
          : {}),
      })),
    ],
    hooks: { setCursor: [({ cursor: { idx } }) => onCursor(idx ?? null)] },
  };
}

/** Returns the time of day; with seconds on short axes. */
function timeText(at: number, range: number): string {
  const text = clock(at * 1000);
  return range <= 600 ? text : text.slice(0, 5);
}
