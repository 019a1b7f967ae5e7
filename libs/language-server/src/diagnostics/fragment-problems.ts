/** Finds problems in a fragment, that is, a file of directives that sites import. The fragment is adapted as if it were inside a site. */
import { formatCaddyfile } from '@sluice/caddyfile';
import { AdapterRanges } from '../caddyfile/adapter-ranges.ts';
import type { LanguageServices } from '../services.ts';
import { adapterProblems, type AdapterProblems, type CheckedCaddyfile } from './caddyfile-problems.ts';
import type { Problem } from './diagnostic.ts';

const before = ':80 {\n';

/** Errors about names that the importing file may define: matchers, named routes, snippets, and arguments. */
const elsewhere = /unrecognized matcher name: |cannot invoke named route |File to import not found: [^./*]+$|\{args/;

/** Adapts a fragment inside a site, without provisioning. */
export async function fragmentProblems(
  services: LanguageServices,
  checked: CheckedCaddyfile,
): Promise<AdapterProblems> {
  const text = `${before}${checked.text}\n}\n`;
  const ranges = new AdapterRanges(text, checked.path, services.environment);
  const { problems } = await adapterProblems(services, { ...checked, text, ranges });
  const within = (index: number): number => Math.min(Math.max(index - before.length, 0), checked.text.length);
  const own = problems
    .filter(({ message, code }) => code !== 'format' && !elsewhere.test(message))
    .map((problem) => ({ ...problem, start: within(problem.start), end: within(problem.end) }));
  return { problems: [...own, ...formatProblems(checked)] };
}

function formatProblems({ text }: CheckedCaddyfile): Problem[] {
  if (formatCaddyfile(text) === text.replaceAll('\r\n', '\n')) return [];
  return [{ start: 0, end: 0, severity: 'information', code: 'format', message: 'this file is not formatted' }];
}
