/** Semantic versions (semver.org 2.0.0). Parsing is lenient: a leading `v` and missing parts are allowed. */
import { goType } from '../values/kind.ts';
import { TypedNumber } from '../values/number.ts';
import { compareText } from '../values/text.ts';

const form =
  /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?$/;

/** Major, minor, patch. */
export type Triple = readonly [number, number, number];

/** A semantic version, with the members that templates use. */
export class Version {
  readonly [goType] = '*semver.Version';
  readonly triple: Triple;
  readonly prerelease: string;
  readonly metadata: string;
  readonly original: string;

  constructor(triple: Triple, prerelease: string, metadata: string, original: string) {
    this.triple = triple;
    this.prerelease = prerelease;
    this.metadata = metadata;
    this.original = original;
  }

  /** Parses a semantic version. Throws if the text is invalid. */
  static parse(text: string): Version {
    const match = form.exec(text);
    if (match === null) throw new Error('invalid semantic version');
    const parts: Triple = [Number(match[1]), Number(match[2] ?? 0), Number(match[3] ?? 0)];
    if (!parts.every(Number.isSafeInteger)) throw new Error('invalid semantic version');
    const prerelease = match[4] ?? '';
    if (/(?:^|\.)0\d+(?:\.|$)/.test(prerelease)) throw new Error('version segment starts with 0');
    return new Version(parts, prerelease, match[5] ?? '', text);
  }

  String(): string {
    const suffix =
      (this.prerelease === '' ? '' : `-${this.prerelease}`) + (this.metadata === '' ? '' : `+${this.metadata}`);
    return this.triple.join('.') + suffix;
  }

  /** Returns the version as text, for `toJson`. */
  toJSON(): string {
    return this.String();
  }

  Original(): string {
    return this.original;
  }

  Major(): unknown {
    return new TypedNumber('uint64', this.triple[0]);
  }

  Minor(): unknown {
    return new TypedNumber('uint64', this.triple[1]);
  }

  Patch(): unknown {
    return new TypedNumber('uint64', this.triple[2]);
  }

  Prerelease(): string {
    return this.prerelease;
  }

  Metadata(): string {
    return this.metadata;
  }

  Compare(other: unknown): number {
    return compareVersions(this, versionOf(other));
  }

  LessThan(other: unknown): boolean {
    return this.Compare(other) < 0;
  }

  LessThanEqual(other: unknown): boolean {
    return this.Compare(other) <= 0;
  }

  GreaterThan(other: unknown): boolean {
    return this.Compare(other) > 0;
  }

  GreaterThanEqual(other: unknown): boolean {
    return this.Compare(other) >= 0;
  }

  Equal(other: unknown): boolean {
    return this.Compare(other) === 0;
  }

  IncMajor(): Version {
    return increased([this.triple[0] + 1, 0, 0]);
  }

  IncMinor(): Version {
    return increased([this.triple[0], this.triple[1] + 1, 0]);
  }

  IncPatch(): Version {
    const [major, minor, patch] = this.triple;
    // Incrementing the patch number of a pre-release removes the pre-release identifier. The numbers stay the same.
    return increased([major, minor, this.prerelease === '' ? patch + 1 : patch]);
  }
}

function increased(triple: Triple): Version {
  return new Version(triple, '', '', triple.join('.'));
}

function versionOf(value: unknown): Version {
  if (value instanceof Version) return value;
  throw new Error('wrong type for value; expected *semver.Version');
}

export function compareTriples(a: Triple, b: Triple): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}

/** Compares two versions (semver.org §11). Ignores build metadata. */
export function compareVersions(a: Version, b: Version): number {
  const order = compareTriples(a.triple, b.triple);
  return Math.sign(order === 0 ? comparePrereleases(a.prerelease, b.prerelease) : order);
}

function comparePrereleases(a: string, b: string): number {
  if (a === b) return 0;
  if (a === '') return 1;
  if (b === '') return -1;
  const left = a.split('.');
  const right = b.split('.');
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const order = compareIdentifiers(left[i], right[i]);
    if (order !== 0) return order;
  }
  return 0;
}

function compareIdentifiers(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? -1 : 1;
  const left = /^\d+$/.test(a);
  const right = /^\d+$/.test(b);
  if (left && right) return Number(a) - Number(b);
  if (left !== right) return left ? -1 : 1;
  return compareText(a, b);
}
