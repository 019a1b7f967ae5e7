/** Documentation that packages contribute to the reference. Only `docs/reference` and `sluice doc` load it. */
import type { JsonObject } from '@sluice/base';
import { contributionPoint, type Contribution, type ContributionPoint } from '../modules/contribution.ts';

/** Placeholders with the same scope, such as request placeholders. */
export interface PlaceholderGroup {
  readonly title: string;
  /** Scope of the placeholders. */
  readonly where: string;
  /** Descriptions by name without braces. `<name>` marks a part that users choose. */
  readonly names: Readonly<Record<string, string>>;
}

/** An event of the server. */
export interface EventDeclaration<Data extends string = string> {
  /** Dotted name of the originating module; empty for the server itself. */
  readonly origin: string;
  readonly name: string;
  readonly help: string;
  /** Descriptions of the data fields, by name. */
  readonly data: Readonly<Record<Data, string>>;
}

/** Declares an event, so that omitting a data field of an emitted event is a type error. */
export function declareEvent<Data extends string>(declaration: EventDeclaration<Data>): EventDeclaration<Data> {
  return declaration;
}

/** A metric family. */
export interface MetricDeclaration {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly labelNames: readonly string[];
}

export interface PackageReference {
  /** A complete configuration that uses the module, by module id. */
  readonly examples?: Readonly<Record<string, JsonObject>>;
  /** A source file in the module's own language, by module id; for modules such as adapters. */
  readonly sources?: Readonly<Record<string, { readonly language: string; readonly text: string }>>;
  readonly placeholders?: readonly PlaceholderGroup[];
  readonly events?: readonly EventDeclaration[];
  readonly metrics?: readonly MetricDeclaration[];
}

/** Loads the reference of a package. The name is the package name. */
export interface ReferenceContribution extends Contribution {
  readonly load: () => Promise<{ readonly reference: PackageReference }>;
}

/** Contribution point for reference pages: `registry.contribute(references, { name: 'my-package', load: () => import('./reference.js') })`. */
export const references: ContributionPoint<ReferenceContribution> = contributionPoint('reference');
