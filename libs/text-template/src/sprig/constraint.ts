/** Parses version constraints such as `^1.2`, `~1.2.3`, `>=1, <2 || 3.x` and `1.2 - 1.4`. */
import { quote } from '../fmt/quote.ts';
import { compareTriples, compareVersions, Version, type Triple } from './version.ts';

const part = String.raw`v?[0-9xX*]+(?:\.[0-9xX*]+){0,2}(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?`;
const operator = String.raw`(?:=>|=<|!=|>=|<=|~>|=|<|>|~|\^)?`;
const range = new RegExp(String.raw`\s*(${part})\s+-\s+(${part})\s*`, 'g');
const whole = new RegExp(String.raw`^\s*${operator}\s*${part}\s*(?:(?:\s+|,\s*)${operator}\s*${part}\s*)*$`);
const single = new RegExp(String.raw`(${operator})\s*(${part})`, 'g');
const pieces = /^v?([0-9xX*]+)(?:\.([0-9xX*]+))?(?:\.([0-9xX*]+))?(-[^+]*)?(\+.*)?$/;

/** Maximum length of a version constraint, in characters. */
const maxConstraint = 1_000;

/** A comparison in a version constraint. Version parts that are missing or `x` match any number. */
interface Comparison {
  readonly operator: string;
  readonly version: Version;
  readonly open: 'major' | 'minor' | 'patch' | null;
}

/** Parses a version constraint. A version must satisfy all comparisons of at least one alternative (`||`). */
export function parseConstraint(constraint: string): (version: Version) => boolean {
  if (constraint.length > maxConstraint)
    throw new Error(`version constraint is too long: ${constraint.length} characters`);
  const spelled = constraint.replace(range, (_, low: string, high: string) => `>= ${low}, <= ${high} `);
  const alternatives = spelled.split('||').map(parseAlternative);
  return (version) => alternatives.some((comparisons) => comparisons.every((one) => check(one, version)));
}

function parseAlternative(text: string): Comparison[] {
  if (!whole.test(text)) throw new Error(`improper constraint: ${quote(text)}`);
  return Array.from(text.matchAll(single), ([, sign = '', version = '']) => parseComparison(sign, version));
}

function isOpen(text: string | undefined): boolean {
  return text === undefined || text === 'x' || text === 'X' || text === '*';
}

function parseComparison(sign: string, text: string): Comparison {
  const [, major, minor, patch, prerelease = '', metadata = ''] = pieces.exec(text) ?? [];
  const open = isOpen(major) ? 'major' : isOpen(minor) ? 'minor' : isOpen(patch) ? 'patch' : null;
  const triple = [
    open === 'major' ? '0' : major,
    open === 'major' || open === 'minor' ? '0' : minor,
    open === null ? patch : '0',
  ];
  const version = Version.parse(triple.join('.') + prerelease + metadata);
  return { operator: sign, version, open };
}

function check({ operator: sign, version: bound, open }: Comparison, version: Version): boolean {
  // A pre-release version matches only if the constraint also specifies a pre-release.
  if (version.prerelease !== '' && bound.prerelease === '') return false;
  const order = compareVersions(version, bound);
  switch (sign) {
    case '!=':
      return differs(bound.triple, version.triple, open, order !== 0);
    case '':
    case '=':
      return open === null ? order === 0 : within(bound, version, order, open);
    case '~':
    case '~>':
      return within(bound, version, order, open);
    case '^':
      return order >= 0 && compatible(bound.triple, version.triple, open);
    case '<':
      return order < 0;
    case '>=':
    case '=>':
      return order >= 0;
    case '>':
      return open === null ? order > 0 : above(bound.triple, version.triple, open, order);
    default:
      return open === null ? order <= 0 : atMost(bound.triple, version.triple, open);
  }
}

function differs(bound: Triple, version: Triple, open: Comparison['open'], different: boolean): boolean {
  if (open === null) return different;
  if (bound[0] !== version[0]) return true;
  if (open === 'minor') return false;
  return bound[1] !== version[1] || (open === 'major' && bound[2] !== version[2]);
}

/** Implements tilde constraints: for `~1.2.3`, the last specified number may increase. `~0.0.0` and `*` match every version. */
function within(bound: Version, version: Version, order: number, open: Comparison['open']): boolean {
  if (order < 0) return false;
  if (compareTriples(bound.triple, [0, 0, 0]) === 0 && open !== 'minor' && open !== 'patch') return true;
  if (version.triple[0] !== bound.triple[0]) return false;
  return open === 'minor' || version.triple[1] === bound.triple[1];
}

/** Implements caret constraints: for `^1.2.3`, the numbers after the first non-zero number may increase. */
function compatible(bound: Triple, version: Triple, open: Comparison['open']): boolean {
  if (version[0] !== bound[0]) return false;
  if (bound[0] > 0 || open === 'minor') return true;
  if (version[1] !== bound[1]) return false;
  return bound[1] > 0 || open === 'patch' || version[2] === bound[2];
}

function above(bound: Triple, version: Triple, open: Comparison['open'], order: number): boolean {
  if (version[0] !== bound[0]) return version[0] > bound[0];
  if (open === 'minor') return false;
  return open === 'patch' ? version[1] > bound[1] : order > 0;
}

function atMost(bound: Triple, version: Triple, open: Comparison['open']): boolean {
  if (version[0] !== bound[0]) return version[0] < bound[0];
  return open === 'minor' || version[1] <= bound[1];
}
