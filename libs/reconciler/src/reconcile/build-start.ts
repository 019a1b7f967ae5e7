/** Inputs and results of a configuration build. */
import type { Json, Logger } from '@sluice/base';
import type { Registry, Roles, Token } from '@sluice/registry';
import type { Component } from './component.ts';
import type { ProvisionContext } from './provision-context.ts';

/** Parts of the runtime that a build uses. */
export interface BuildHost {
  readonly registry: Registry;
  readonly roles: Roles;
  readonly log: Logger;
  readonly services: ReadonlyMap<Token<unknown>, unknown>;
  /** True to validate options. Worker threads rely on the control thread's validation. */
  readonly check: boolean;
  /** Timeout for provisioning or starting a module, in milliseconds. It excludes time spent waiting for other modules. */
  readonly provisionTimeout: number;
}

/** Top-level parts of a generation: apps and sections by name. */
export type Units = ReadonlyMap<string, Component>;

export interface BuildStart {
  /** The document to apply. */
  readonly config: Json;
  readonly previous: Units;
  readonly force: boolean;
  /** First epoch whose requests may use the new components. */
  readonly since: number;
  /** True if the result serves requests alongside the previous generation. Default: false. */
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
  /** Apps and sections that exist only in the canary. */
  readonly made: readonly Component[];
  /** Functions that stop requests from reaching the canary. */
  readonly ends: readonly (() => void)[];
}

/** Instructions for creating a component when no existing component can be kept. */
export interface Blueprint {
  readonly kind: object;
  readonly node: Json;
  readonly moduleId: string | null;
  readonly provision: (context: ProvisionContext) => unknown;
}

/** Returns the apps and sections in `units` that are missing from `other`, the units of another generation. */
export function missingIn(other: Units, units: Units): Component[] {
  return [...units].filter(([name, component]) => other.get(name) !== component).map(([, component]) => component);
}
