/** What a package says of itself for the reference: `docs/reference` and `sluice doc`, which alone load it. */
import type { JsonObject } from '@sluice/base';
import { contributionPoint, type Contribution, type ContributionPoint } from '../modules/contribution.ts';

/** Placeholders that are set at one place, such as those of the request. */
export interface PlaceholderGroup {
  readonly title: string;
  /** Where they can be used. */
  readonly where: string;
  /** What each stands for, by its name without braces; `<name>` in it is a part that users choose. */
  readonly names: Readonly<Record<string, string>>;
}

/** An event of the server. */
export interface EventDeclaration<Data extends string = string> {
  /** Dotted name of the module it comes from; empty for the server itself. */
  readonly origin: string;
  readonly name: string;
  readonly help: string;
  /** What each of its facts is, by name. */
  readonly data: Readonly<Record<Data, string>>;
}

/** Declares an event; whoever emits it must give all of its facts. */
export function declareEvent<Data extends string>(declaration: EventDeclaration<Data>): EventDeclaration<Data> {
  return declaration;
}

/** A family of metrics. */
export interface MetricDeclaration {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly labelNames: readonly string[];
}

/** All that a package says. */
export interface PackageReference {
  /** A whole configuration that uses the module, by the id of each module. */
  readonly examples?: Readonly<Record<string, JsonObject>>;
  /** The same for modules that read a language of their own, such as adapters: a file in it. */
  readonly sources?: Readonly<Record<string, { readonly language: string; readonly text: string }>>;
  readonly placeholders?: readonly PlaceholderGroup[];
  readonly events?: readonly EventDeclaration[];
  readonly metrics?: readonly MetricDeclaration[];
}

/** Loads what a package says; its name is that of the package. */
export interface ReferenceContribution extends Contribution {
  readonly load: () => Promise<PackageReference>;
}

/** Where packages say it: `registry.contribute(references, { name: 'my-package', load: … })`. */
export const references: ContributionPoint<ReferenceContribution> = contributionPoint('reference');
