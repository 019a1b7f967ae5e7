/** Compares two observations of the same request and response pair. */
import { levelled } from './known-differences.ts';
import type { Observation, SeenMessage } from './observation.ts';
import type { Pair } from './pair.ts';

/** Result of comparing two observations. */
export interface Comparison {
  /** Reasons of the known differences that were found. */
  readonly known: readonly string[];
  /** Lines of unexpected differences. `-` marks Caddy's lines, and `+` marks Sluice's lines. */
  readonly unknown: readonly string[];
}

/** Compares the observations of Caddy and Sluice. */
export function compare(pair: Pair, reference: Observation, subject: Observation): Comparison {
  const { known, sides } = levelled(pair, reference, subject);
  const [theirs, ours] = sides.map(linesOf) as [string[], string[]];
  const unknown = [
    ...theirs.filter((line) => !ours.includes(line)).map((line) => `- ${line}`),
    ...ours.filter((line) => !theirs.includes(line)).map((line) => `+ ${line}`),
  ];
  // Both servers have the same set of lines, but their order or number differs.
  if (unknown.length === 0 && theirs.join('\n') !== ours.join('\n'))
    unknown.push(...theirs.map((line) => `- ${line}`), ...ours.map((line) => `+ ${line}`));
  return { known, unknown };
}

function linesOf({ upstream, interim, response, ending }: Observation): string[] {
  return [
    ...upstream.flatMap((message, index) => messageLines(`upstream ${index + 1}`, message)),
    ...interim.flatMap((message, index) => messageLines(`interim ${index + 1}`, message)),
    ...(response === null ? ['client: no response'] : messageLines('client', response)),
    `client: ${ending}`,
  ];
}

function messageLines(who: string, { start, fields, framing, body, trailers }: SeenMessage): string[] {
  return [
    `${who}: ${start}`,
    ...fields.map((line) => `${who}: ${line}`),
    `${who}: framing ${framing}`,
    `${who}: body ${JSON.stringify(body)}`,
    ...trailers.map((line) => `${who}: trailer ${line}`),
  ];
}
