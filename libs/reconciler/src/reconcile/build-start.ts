/** What a build is made with, what it starts from, and what it leaves. */
import type { Json, Logger } from '@sluice/base';
import type { Registry, Roles, Token } from '@sluice/registry';
import type { Component } from './component.ts';
import type { ProvisionContext } from './provision-context.ts';

/** What a build needs from its runtime. */
export interface BuildHost {
  readonly registry: Registry;
  readonly roles: Roles;
  readonly log: Logger;
  readonly services: ReadonlyMap<Token<unknown>, unknown>;
  /** Whether options are checked against their schemas; worker threads trust the control thread. */
  readonly check: boolean;
  /** How long the provision or start of a module may wait for anything but other modules, in milliseconds. */
  readonly provisionTimeout: number;
}

/** Top-level parts of the current generation: apps and sections by unit name. */
export type Units = ReadonlyMap<string, Component>;

/** What a build starts from. */
export interface BuildStart {
  /** The document to apply. */
  readonly config: Json;
  readonly previous: Units;
  /** Whether everything is provisioned, also what is the same. */
  readonly force: boolean;
  /** The epoch from which on requests can use what is made. */
  readonly since: number;
}

/** What a build leaves at its commit. */
export interface Committed {
  readonly config: Json;
  readonly units: Units;
  readonly dropped: Component[];
}

/** How a part is made where none can be kept. */
export interface Blueprint {
  readonly kind: object;
  readonly node: Json;
  readonly moduleId: string | null;
  readonly provision: (context: ProvisionContext) => unknown;
}

/** The units of one generation that another one has not. */
export function missingIn(other: Units, units: Units): Component[] {
  return [...units].filter(([name, component]) => other.get(name) !== component).map(([, component]) => component);
}
