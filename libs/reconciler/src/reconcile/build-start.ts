/** Inputs and results of a build. */
import type { Json, Logger } from '@sluice/base';
import type { Registry, Roles, Token } from '@sluice/registry';
import type { Component } from './component.ts';
import type { ProvisionContext } from './provision-context.ts';

/** The runtime parts that a build uses. */
export interface BuildHost {
  readonly registry: Registry;
  readonly roles: Roles;
  readonly log: Logger;
  readonly services: ReadonlyMap<Token<unknown>, unknown>;
  /** True to validate options. Worker threads rely on the control thread. */
  readonly check: boolean;
  /** Timeout in milliseconds for the provision or start of a module, excluding waits for other modules. */
  readonly provisionTimeout: number;
}

/** Top-level parts of the current generation: apps and sections by unit name. */
export type Units = ReadonlyMap<string, Component>;

export interface BuildStart {
  /** The document to apply. */
  readonly config: Json;
  readonly previous: Units;
  readonly force: boolean;
  /** First epoch whose requests can use the new components. */
  readonly since: number;
  /** True if the result serves beside the previous generation. Default: false. */
  readonly isCanary?: boolean;
}

export interface Committed {
  readonly config: Json;
  readonly units: Units;
  readonly dropped: Component[];
}

/** A canary that serves requests. */
export interface StartedCanary {
  readonly units: Units;
  /** Units that the generation beside it does not have. */
  readonly made: readonly Component[];
  /** Functions that stop requests from reaching it. */
  readonly ends: readonly (() => void)[];
}

/** Describes how to create a component that cannot be kept. */
export interface Blueprint {
  readonly kind: object;
  readonly node: Json;
  readonly moduleId: string | null;
  readonly provision: (context: ProvisionContext) => unknown;
}

/** Returns the units of one generation that are missing in the other generation. */
export function missingIn(other: Units, units: Units): Component[] {
  return [...units].filter(([name, component]) => other.get(name) !== component).map(([, component]) => component);
}
