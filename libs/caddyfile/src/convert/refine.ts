/** Decides which optional lines a converted Caddyfile needs. */
import type { Line } from '../inverse/written.ts';
import type { Parts } from './text.ts';
import { rank, type Comparison } from './verdict.ts';

/** Maximum number of times that the converter adapts the file to decide which optional lines to keep. */
const maxTrials = 60;

/** Adapts a file with and without each optional line. Returns the version closest to the document. */
export async function refine<T extends Comparison>(
  parts: Parts,
  read: (parts: Parts) => Promise<T | string>,
): Promise<T | string> {
  const isDoubtful = (line: Line): boolean => line.doubtful !== undefined;
  const ofSites = [...parts.sites, ...parts.sites.flatMap(({ block = [] }) => block)].filter(isDoubtful);
  const doubtful = [...parts.globals.filter(isDoubtful), ...ofSites];
  let out = new Set(doubtful.filter((line) => line.doubtful === 'out'));
  let best = await read(without(parts, out));
  let left = maxTrials;
  const attempt = async (changed: readonly Line[]): Promise<void> => {
    if (rankOf(best) === 0 || left-- <= 0) return;
    const tried = new Set(out);
    for (const line of changed) if (!tried.delete(line)) tried.add(line);
    const found = await read(without(parts, tried));
    // Accept a result that is equally good, because later changes may improve it.
    if (rankOf(found) > rankOf(best)) return;
    best = found;
    out = tried;
  };
  for (let rounds = 0; rounds < 2; rounds++) {
    for (const line of doubtful) await attempt([line]);
    // Also try a global option without the optional site lines, because each site may repeat the values of this option.
    for (const line of parts.globals.filter(isDoubtful)) {
      if (!out.has(line)) await attempt([line, ...ofSites.filter((each) => out.has(each))]);
    }
  }
  return best;
}

function rankOf(found: Comparison | string): number {
  return typeof found === 'string' ? Infinity : rank(found);
}

function without({ globals, named, sites }: Parts, out: ReadonlySet<Line>): Parts {
  const kept = (lines: readonly Line[]): readonly Line[] => lines.filter((line) => !out.has(line));
  return {
    globals: kept(globals),
    named,
    sites: kept(sites).map((site) => (site.block === undefined ? site : { ...site, block: kept(site.block) })),
  };
}
