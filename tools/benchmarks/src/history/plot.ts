/** Plots the ratios of all benchmark runs as SVG. Each workload has a small chart, with a line at 1. */
import { ratiosTo } from '../measure.ts';
import type { Run } from './run.ts';
import { titleOf } from './titles.ts';

const chart = { width: 300, height: 130, left: 40, right: 12, top: 26, bottom: 20 };
const columns = 3;
const rivals = [
  { name: 'caddy', label: 'Caddy', color: '#2563eb' },
  { name: 'nginx', label: 'nginx', color: '#059669' },
];
const text = 'font-family="sans-serif" font-size="10" fill="#6b7280"';

/** Ratio of one run. It is based on CPU time per request, because request rates depend on how busy the load generator was. */
interface Point {
  readonly run: number;
  readonly low: number;
  readonly middle: number;
  readonly high: number;
}

/** Plots the runs in order. */
export function plotOf(runs: readonly Run[]): string {
  const names = [...new Set(runs.flatMap(({ scenarios }) => scenarios.map(({ name }) => name)))];
  const rows = Math.ceil(names.length / columns);
  const [width, height] = [columns * chart.width, rows * chart.height + 30];
  const charts = names.map((name, i) => {
    const [x, y] = [(i % columns) * chart.width, Math.floor(i / columns) * chart.height + 30];
    return `<g transform="translate(${x} ${y})">${chartOf(name, runs)}</g>`;
  });
  const legend = rivals.map(
    ({ label, color }, i) =>
      `<text x="${chart.left + i * 330}" y="16" ${text} style="fill: ${color}">CPU time of ${label}, divided by Sluice’s</text>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    ...legend,
    ...charts,
    '</svg>',
    '',
  ].join('\n');
}

function chartOf(name: string, runs: readonly Run[]): string {
  const lines = rivals.map((rival) => ({ ...rival, points: pointsOf(name, rival.name, runs) }));
  const all = lines.flatMap(({ points }) => points.flatMap(({ low, high }) => [low, high]));
  // Use a logarithmic scale, so that 2 and 1/2 are equally far from 1.
  const [least, greatest] = [Math.min(0.8, ...all), Math.max(1.25, ...all)].map((value) => Math.log(value)) as [
    number,
    number,
  ];
  const bottom = chart.height - chart.bottom;
  const y = (ratio: number): string =>
    (bottom - ((Math.log(ratio) - least) / (greatest - least)) * (bottom - chart.top)).toFixed(1);
  const step = (chart.width - chart.left - chart.right) / Math.max(1, runs.length - 1);
  const x = (run: number): string => (chart.left + run * step).toFixed(1);
  const label = (value: number): string =>
    `<text x="${chart.left - 5}" y="${y(value)}" ${text} text-anchor="end" dominant-baseline="middle">${value.toPrecision(2)}</text>`;
  return [
    `<text x="${chart.left}" y="14" ${text} style="fill: #111827">${titleOf(name)}</text>`,
    `<line x1="${chart.left}" x2="${chart.width - chart.right}" y1="${y(1)}" y2="${y(1)}" stroke="#d1d5db"/>`,
    ...[Math.exp(least), Math.exp(greatest)].map(label),
    ...lines.flatMap(({ color, points }) => [
      `<polyline fill="none" stroke="${color}" points="${points.map(({ run, middle }) => `${x(run)},${y(middle)}`).join(' ')}"/>`,
      ...points.map(
        ({ run, low, high }) =>
          `<line x1="${x(run)}" x2="${x(run)}" y1="${y(low)}" y2="${y(high)}" stroke="${color}" stroke-width="2"/>`,
      ),
      ...points.map(({ run, middle }) => `<circle cx="${x(run)}" cy="${y(middle)}" r="2.5" fill="${color}"/>`),
    ]),
    ...[runs[0], runs.length > 1 ? runs.at(-1) : undefined].map((run, i) =>
      run === undefined
        ? ''
        : `<text x="${i === 0 ? chart.left : chart.width - chart.right}" y="${chart.height - 6}" ${text} text-anchor="${i === 0 ? 'start' : 'end'}">${run.date.slice(0, 10)} ${run.commit.slice(0, 8)}</text>`,
    ),
  ].join('');
}

function pointsOf(name: string, rival: string, runs: readonly Run[]): Point[] {
  return runs.flatMap(({ scenarios }, run) => {
    const servers = scenarios.find((scenario) => scenario.name === name)?.servers;
    const ratios = servers === undefined ? null : ratiosTo(new Map(Object.entries(servers)), rival);
    return ratios === null ? [] : [{ run, ...ratios.cost }];
  });
}
