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

/** A module of a configuration, with options that match its schema. */
export interface CheckedModule {
  readonly id: string;
  readonly path: ConfigPath;
  /** Options as written, including the key that names the module. */
  readonly node: Json;
  /** The whole configuration, to resolve references. */
  readonly document: Json;
}

export type Warn = (message: string, ...at: (string | number)[]) => void;

export interface ConfigCheck {
  /** Unique name in kebab case; shown with each finding so that tools can filter them. */
  readonly name: string;
  /** Description of the problem in one sentence. */
  readonly help: string;
  /** Ids of the modules to check. `http.handlers.*` means a whole namespace. */
  readonly modules: readonly string[];
  /** Runs while the configuration is built for a dry run. Can be asynchronous. Must not have side effects. */
  check(module: CheckedModule, warn: Warn): void | Promise<void>;
}

/** `error`: cannot work, or is a security hole. `warning`: probably unintended. `note`: worth knowing. */
export type Severity = 'error' | 'warning' | 'note';

/** A position in a file. Lines start at 1. */
export interface FindingPlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Location of the import directive, if the file is imported. */
  readonly imported?: { readonly file: string; readonly line: number };
}

/** A related location, such as the route that shadows the reported route. */
export interface RelatedPlace {
  readonly path: string;
  readonly message: string;
  readonly source?: string;
  readonly place?: FindingPlace;
}

export type FixOperation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: Json }
  | { readonly op: 'remove'; readonly path: string };

/** A change to the document that fixes only the finding. */
export interface FindingFix {
  /** Description of the fix as an instruction: `remove the route`. */
  readonly title: string;
  readonly operations: readonly FixOperation[];
}

/** A result of a check. */
export interface Finding {
  readonly check: string;
  /** Stable code, such as `SL001`; a few checks don't have one. */
  readonly code?: string;
  readonly severity: Severity;
  /** Configuration path: `apps.http.servers.s.routes[0].handle[0].upstreams[0].dial`. */
  readonly path: string;
  /** The problem and its fix. */
  readonly message: string;
  /** Source location, if the configuration was adapted: `Caddyfile:12`. */
  readonly source?: string;
  /** The source location in machine-readable form. */
  readonly place?: FindingPlace;
  /** Documentation page: a path such as `reference/lint/SL001.md`, or a third-party URL. Absent if no page exists. */
  readonly page?: string;
  readonly related?: readonly RelatedPlace[];
  readonly fix?: FindingFix;
}

export function defineCheck(check: ConfigCheck): ConfigCheck {
  return Object.freeze(check);
}
