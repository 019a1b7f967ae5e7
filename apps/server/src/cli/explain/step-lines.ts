/** Formats explanation steps as lines of a tree. */
import type { Json } from '@sluice/base';
import type { Explanation } from '@sluice/http-analysis';

type Step = Explanation['paths'][number]['steps'][number];

/** Colors by meaning. */
export interface Paint {
  dim(text: string): string;
  good(text: string): string;
  bad(text: string): string;
  doubt(text: string): string;
}

/** Maximum length of a displayed value, in characters. */
const max = 60;

/** Returns the lines for explanation steps and their nested steps. */
export function stepLines(steps: readonly Step[], paint: Paint, indent = ''): string[] {
  return steps.flatMap((step, index) => {
    const last = index === steps.length - 1;
    return [
      `${indent}${last ? '└─' : '├─'} ${lineOf(step, paint)}`,
      ...stepLines(step.steps, paint, `${indent}${last ? '   ' : '│  '}`),
    ];
  });
}

function lineOf(step: Step, paint: Paint): string {
  const { kind, id, path, source, got, wanted } = step;
  const where = source === null ? path : `${path} ${source.file}:${source.line}`;
  switch (kind) {
    case 'index':
      return paint.dim(`${valueOf(got, 'skipped')} routes skipped based on host and path`);
    case 'group':
      return paint.dim(`${where}: skipped, because its group already ran ${valueOf(got, 'decided_by')}`);
    case 'error':
      return paint.bad(`error ${valueOf(got, 'status')}: ${valueOf(got, 'message')}`);
    case 'matcher':
      return `${mark(step, paint)} ${nameOf(id)} expects ${short(wanted)}${got === null ? '' : `, got ${fields(got)}`}`;
    case 'handler':
      return `${nameOf(id)}${changes(step)}${step.verdict === true ? '' : paint.dim(' (ends here)')} ${paint.dim(where)}`;
    case 'route':
    case 'redirect':
    case 'upstream':
      return `${mark(step, paint)} ${where}`;
  }
}

function mark({ verdict }: Step, paint: Paint): string {
  if (verdict === true) return paint.good('✓');
  return verdict === false ? paint.bad('✗') : paint.doubt('?');
}

function nameOf(id: string): string {
  return id.slice(id.lastIndexOf('.') + 1);
}

function changes({ changed }: Step): string {
  const parts = Object.entries(changed ?? {}).map(
    ([name, [before, after]]) => `${name} ${short(before)} → ${short(after)}`,
  );
  return parts.length === 0 ? '' : `: ${parts.join(', ')}`;
}

function fields(got: Json): string {
  if (typeof got !== 'object' || got === null) return short(got);
  return Object.entries(got)
    .map(([name, value]) => `${name} ${short(value)}`)
    .join(', ');
}

function valueOf(got: Json, key: string): string {
  const value =
    typeof got === 'object' && got !== null && !Array.isArray(got) ? (got as Record<string, Json>)[key] : got;
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}

function short(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > max ? `${text.slice(0, max)}…` : text;
}
