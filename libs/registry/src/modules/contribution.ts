/**
 * Contributions are anything that a package adds besides modules, such as Caddyfile directives. A contribution point collects contributions
 * of one kind by name.
 *
 * The consumer defines the point, and packages call `registry.contribute`. A contribution is plain data with a loader, so unused code is
 * never loaded.
 */
declare const instance: unique symbol;

/** A contribution. Its name is its key within the contribution point. */
export interface Contribution {
  readonly name: string;
}

export interface ContributionPoint<T extends Contribution> {
  /** Name of the contribution point, for messages. */
  readonly id: string;
  readonly [instance]?: T;
}

/** Creates a contribution point. Points with the same ID are the same point, even across copies of a package. */
export function contributionPoint<T extends Contribution>(id: string): ContributionPoint<T> {
  return Object.freeze({ id });
}
