/** What a build is made with, and what it starts from. */
import type { Json, Logger } from '@sluice/base';
import type { Registry, Roles, Token } from '@sluice/registry';
import type { Component } from './component.ts';

/** What a build needs from its runtime. */
export interface BuildHost {
  readonly registry: Registry;
  readonly roles: Roles;
  readonly log: Logger;
  readonly services: ReadonlyMap<Token<unknown>, unknown>;
  /** Whether options are checked against their schemas; worker threads trust the control thread. */
  readonly check: boolean;
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
