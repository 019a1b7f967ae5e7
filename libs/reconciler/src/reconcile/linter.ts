/** Lints documents for rehearsals, which tell of what a change brings, and not of what was there before. */
import { parseWhere, type Json } from '@sluice/base';
import { lint, type Finding } from '@sluice/registry';
import { getAt } from '../document/tree.ts';
import type { BuildHost } from './build-start.ts';

/** What is found in a document, by what it is about: the same node is not new wherever it stands now. */
type Known = ReadonlyMap<unknown, ReadonlySet<string>>;

/** Remembers what was found in the document in force, which is asked about again and again. */
export class Linter {
  #document: Json = null;
  #known: Known = new Map();

  /** What is found in a document, and not in the one that is in force. */
  async newIn(document: Json, inForce: Json, { registry, log }: BuildHost): Promise<readonly Finding[]> {
    const findings = await lint(registry, document, log);
    if (findings.length === 0) return findings;
    if (this.#document !== inForce) {
      this.#known = knownIn(await lint(registry, inForce, log), inForce);
      this.#document = inForce;
    }
    return findings.filter((finding) => {
      const { about, said } = identityOf(finding, document);
      return this.#known.get(about)?.has(said) !== true;
    });
  }
}

function knownIn(findings: readonly Finding[], document: Json): Known {
  const known = new Map<unknown, Set<string>>();
  for (const finding of findings) {
    const { about, said } = identityOf(finding, document);
    const there = known.get(about);
    if (there === undefined) known.set(about, new Set([said]));
    else there.add(said);
  }
  return known;
}

/** Objects are what they are; any other value is known by its place. */
function identityOf({ path, check, message }: Finding, document: Json): { about: unknown; said: string } {
  const value = getAt(document, parseWhere(path) ?? []);
  return { about: typeof value === 'object' && value !== null ? value : path, said: `${check} ${message}` };
}
