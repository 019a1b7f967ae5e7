/**
 * What packages bring beside modules, such as directives of the Caddyfile. A point collects contributions of one kind by
 * name; whoever reads them defines the point, and whoever brings one calls `registry.contribute`. A contribution is plain
 * data that says how to load its code, so that what no configuration uses is never loaded.
 */
declare const instance: unique symbol;

/** What every contribution has: its name, which is its key within its point. */
export interface Contribution {
  readonly name: string;
}

/** A kind of contributions. */
export interface ContributionPoint<T extends Contribution> {
  /** What it is called in messages. */
  readonly id: string;
  readonly [instance]?: T;
}

/** Makes a point. Points of one id are the same point, also across copies of a package. */
export function contributionPoint<T extends Contribution>(id: string): ContributionPoint<T> {
  return Object.freeze({ id });
}
