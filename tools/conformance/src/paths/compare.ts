/** Compares two servers. */
import type { Environments } from './environments.ts';
import { reasonFor } from './known-differences.ts';
import type { Matrix } from './play.ts';

/** Observations collected from one server. */
export interface Played {
  readonly matrix: Matrix;
  readonly environments: Environments;
}

/** Returns a description and the location of each unexpected difference. */
export function differencesOf(theirs: Played, mine: Played): string[] {
  const lines: string[] = [];
  for (const [route, responses] of Object.entries(theirs.matrix)) {
    for (const [target, response] of Object.entries(responses)) {
      const own = mine.matrix[route]?.[target];
      if (own === response || reasonFor(route, target) !== null) continue;
      lines.push(`${route}: ${target}: ${JSON.stringify(response)}, here ${JSON.stringify(own)}`);
    }
  }
  for (const [name, environment] of Object.entries(theirs.environments)) {
    const own = mine.environments[name] ?? [];
    const missing = environment.filter((line) => !own.includes(line)).map((line) => `- ${line}`);
    const surplus = own.filter((line) => !environment.includes(line)).map((line) => `+ ${line}`);
    if (missing.length + surplus.length > 0) lines.push(`environment ${name}: ${[...missing, ...surplus].join(', ')}`);
  }
  return lines;
}
