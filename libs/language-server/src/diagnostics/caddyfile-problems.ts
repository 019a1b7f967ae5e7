/** Finds problems in a Caddyfile: adapter errors, and unknown names after the first error. */
import { messageOf, parseWhere } from '@sluice/base';
import { adaptCaddyfile, isCaddyfileError, type Position } from '@sluice/caddyfile';
import type { AdaptedConfig } from '@sluice/contracts';
import type { AdapterRanges } from '../caddyfile/adapter-ranges.ts';
import { uriOf } from '../documents/library.ts';
import type { LanguageServices } from '../services.ts';
import type { Span } from '../text/span.ts';
import type { Problem } from './diagnostic.ts';
import type { NamedCaddyfile } from './name-problems.ts';

export interface CheckedCaddyfile extends NamedCaddyfile {
  readonly text: string;
  readonly ranges: AdapterRanges;
}

/** Result of running the Caddyfile adapter. */
export interface AdapterProblems {
  readonly problems: Problem[];
  /** True if the adapter rejected the text without reporting a position. */
  readonly withoutPlace?: boolean;
  /** Adapted configuration; `undefined` if the adapter rejected the text. */
  readonly adapted?: AdaptedConfig;
}

export async function adapterProblems(services: LanguageServices, checked: CheckedCaddyfile): Promise<AdapterProblems> {
  const { path, text } = checked;
  if (text.trim() === '') return { problems: [] };
  try {
    const options = { file: path, environment: services.environment };
    const adapted = await adaptCaddyfile(text, services.registry, options);
    const problems = adapted.warnings.map(({ file, line, message }): Problem => {
      const place = { file, line, column: 0 };
      const unformatted = message.startsWith('Caddyfile input is not formatted');
      return {
        ...at(checked, place, message),
        severity: unformatted ? 'information' : 'warning',
        ...(unformatted ? { code: 'format' } : {}),
      };
    });
    return { problems, adapted };
  } catch (error) {
    const withoutPlace = !isCaddyfileError(error) || error.position === null;
    return { problems: [errorProblem(checked, error)], withoutPlace };
  }
}

function errorProblem(checked: CheckedCaddyfile, error: unknown): Problem {
  const position = isCaddyfileError(error) ? error.position : null;
  const message = messageOf(error);
  const replacement = /did you mean '([^']+)'\?/.exec(message)?.[1];
  const place = position ?? { file: checked.path, line: 1, column: 0 };
  const problem: Problem = { ...at(checked, place, message), severity: 'error' };
  const here = position?.file === checked.path;
  return replacement === undefined || !here ? problem : { ...problem, replacement };
}

/** Returns the range at which to show a message. A message about an imported file is shown at its `import` and links to that file. */
function at(checked: CheckedCaddyfile, place: Position, whole: string): Span & Pick<Problem, 'message' | 'related'> {
  const message = withoutPlaces(whole, place.file);
  if (place.file === checked.path || place.file === '') return { ...checked.ranges.spanOf(place), message };
  const target = checked.project.importOf(checked.path, place.file);
  const line = Math.max(place.line - 1, 0);
  const character = Math.max(place.column - 1, 0);
  const location = { uri: uriOf(place.file), range: { start: { line, character }, end: { line, character } } };
  return {
    start: target?.start ?? 0,
    end: target?.end ?? 0,
    message: `${place.file}:${place.line}: ${message}`,
    related: [{ location, message }],
  };
}

/** Removes positions from a message, because the editor already shows them. */
function withoutPlaces(whole: string, file: string): string {
  const message = whole.replace(/^(?:parsing caddyfile tokens for '[^']*': )+/, '');
  if (file === '') return message;
  const escaped = file.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
  return message
    .replace(new RegExp(`^${escaped}:\\d+: `), '')
    .replaceAll(new RegExp(`, at ${escaped}:\\d+(?: import chain:? \\[.*?\\])?`, 'g'), '');
}

export function spanOfValue(
  { path, ranges }: CheckedCaddyfile,
  { sources }: AdaptedConfig,
  where: string,
): Span | null {
  const place = sources?.placeOf(parseWhere(where) ?? []) ?? null;
  if (place === null) return null;
  if (place.file === path) return ranges.spanOf(place);
  return place.imported?.file === path ? ranges.spanOf({ line: place.imported.line, column: 0 }) : null;
}
