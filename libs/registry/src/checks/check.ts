/**
 * Configuration checks. Checks find configurations that load but cannot work, such as an upstream without a port.
 *
 * Rejecting these configurations would break configurations that Caddy accepts. Findings are therefore warnings, shown by
 * `sluice validate` and dry runs.
 *
 * A package registers checks next to its modules:
 *
 *     registry.addCheck(defineCheck({
 *       name: 'empty-greeting',
 *       help: 'A greeting without text has no effect.',
 *       modules: ['http.handlers.hello'],
 *       check: ({ node }, warn) => {
 *         if (isObject(node) && own(node, 'text') === '') warn('is empty; set the text of the greeting', 'text');
 *       },
 *     }));
 */
import type { Json, ConfigPath } from '@sluice/base';

/** A module in a configuration. Its options match the module's schema. */
export interface CheckedModule {
  readonly id: string;
  readonly path: ConfigPath;
  /** Options as written, including the key that contains the module name. */
  readonly node: Json;
  /** The entire configuration, for resolving references. */
  readonly document: Json;
}

export type Warn = (message: string, ...at: (string | number)[]) => void;

export interface ConfigCheck {
  /** Unique name in kebab case. Each finding shows it, so that tools can filter findings. */
  readonly name: string;
  /** One-sentence description of the problem. */
  readonly help: string;
  /** IDs of the modules to check. `http.handlers.*` stands for all modules in a namespace. */
  readonly modules: readonly string[];
  /** Checks a module while the configuration is built for a dry run. May be asynchronous. Must not have side effects. */
  check(module: CheckedModule, warn: Warn): void | Promise<void>;
}

/** Severity of a finding. `error`: the configuration can't work or is insecure. `warning`: probably unintended. `note`: worth knowing. */
export type Severity = 'error' | 'warning' | 'note';

/** A position in a file. Line numbers start at 1. */
export interface FindingPlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Location of the import directive, if the file was imported. */
  readonly imported?: { readonly file: string; readonly line: number };
}

/** A related location, such as a route that shadows the reported route. */
export interface RelatedPlace {
  readonly path: string;
  readonly message: string;
  readonly source?: string;
  readonly place?: FindingPlace;
}

export type FixOperation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: Json }
  | { readonly op: 'remove'; readonly path: string };

/** A change to the document that fixes only this finding. */
export interface FindingFix {
  /** Instruction that describes the fix, for example `remove the route`. */
  readonly title: string;
  readonly operations: readonly FixOperation[];
}

/** A problem found by a check. */
export interface Finding {
  readonly check: string;
  /** Permanent code, such as `SL001`. A few checks have no code. */
  readonly code?: string;
  readonly severity: Severity;
  /** Configuration path: `apps.http.servers.s.routes[0].handle[0].upstreams[0].dial`. */
  readonly path: string;
  /** Description of the problem and how to fix it. */
  readonly message: string;
  /** Source location such as `Caddyfile:12`, if the configuration was adapted. */
  readonly source?: string;
  /** Source location in machine-readable form. */
  readonly place?: FindingPlace;
  /** Documentation page: a path such as `reference/lint/SL001.md`, or a third-party URL. Absent if there is no page. */
  readonly page?: string;
  readonly related?: readonly RelatedPlace[];
  readonly fix?: FindingFix;
}

export function defineCheck(check: ConfigCheck): ConfigCheck {
  return Object.freeze(check);
}
