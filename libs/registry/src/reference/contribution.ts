/** Documentation that packages contribute to the reference. Only `docs/reference` and `sluice doc` load it. */
import type { JsonObject } from '@sluice/base';
import { contributionPoint, type Contribution, type ContributionPoint } from '../modules/contribution.ts';

/** Placeholders with the same scope, such as request placeholders. */
export interface PlaceholderGroup {
  readonly title: string;
  /** Scope in which the placeholders are available. */
  readonly where: string;
  /** Descriptions of placeholders by name, without braces. `<name>` marks a part that users choose. */
  readonly names: Readonly<Record<string, string>>;
}

/** Declaration of an event that the server emits. */
export interface EventDeclaration<Data extends string = string> {
  /** Dotted name of the module that emits the event; empty for the server itself. */
  readonly origin: string;
  readonly name: string;
  readonly help: string;
  /** Descriptions of the event's data fields, by name. */
  readonly data: Readonly<Record<Data, string>>;
}

/** Declares an event. Emitting the event without one of its data fields is a type error. */
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
  /** Complete configurations that use a module, by module ID. */
  readonly examples?: Readonly<Record<string, JsonObject>>;
  /** Example source texts for modules such as adapters, in the input language of the module. The keys are module IDs. */
  readonly sources?: Readonly<Record<string, { readonly language: string; readonly text: string }>>;
  readonly placeholders?: readonly PlaceholderGroup[];
  readonly events?: readonly EventDeclaration[];
  readonly metrics?: readonly MetricDeclaration[];
}

/** Contributes the reference documentation of a package, which is loaded on demand. The name is the package name. */
export interface ReferenceContribution extends Contribution {
  readonly load: () => Promise<{ readonly reference: PackageReference }>;
}

/**
 * Contribution point for reference documentation: `registry.contribute(references, { name: 'my-package', load: () =>
 * import('./reference.js') })`.
 */
export const references: ContributionPoint<ReferenceContribution> = contributionPoint('reference');
