/** Lints documents for dry runs. Dry runs report only the findings that a change adds. */
import { parseWhere, type Json } from '@sluice/base';
import { lint, type Finding } from '@sluice/registry';
import { getAt } from '../document/tree.ts';
import type { BuildHost } from './build-start.ts';

/** Findings by affected node. A finding is not new if the same node already had it at another path. */
type Known = ReadonlyMap<unknown, ReadonlySet<string>>;

/** Lints documents, and caches the findings of the active document. */
export class Linter {
  #document: Json = null;
  #known: Known = new Map();

  /** Returns the lint findings for a document, excluding those that also apply to the active document. */
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

/** Returns the identity of the node that a finding affects. Objects are identified by reference, and other values by path. */
function identityOf({ path, check, message }: Finding, document: Json): { about: unknown; said: string } {
  const value = getAt(document, parseWhere(path) ?? []);
  return { about: typeof value === 'object' && value !== null ? value : path, said: `${check} ${message}` };
}
