/**
 * Checks of configurations: they find what loads and cannot work, such as an upstream without a port. Refusing it would
 * break configurations that the reference takes, so it is a warning: `sluice validate` and dry runs show it. A package
 * registers its checks beside its modules (`registry.addCheck`):
 *
 *     registry.addCheck(defineCheck({
 *       name: 'empty-greeting',
 *       help: 'A greeting without a text greets with nothing.',
 *       modules: ['http.handlers.hello'],
 *       check: ({ node }, warn) => {
 *         if (isObject(node) && own(node, 'text') === '') warn('is empty: say what to greet with', 'text');
 *       },
 *     }));
 */
import type { Json, ConfigPath } from '@sluice/base';

/** A module of a configuration as a check sees it. Its options fit their schema. */
export interface CheckedModule {
  readonly id: string;
  /** Where it stands in the document. */
  readonly path: ConfigPath;
  /** Its options as they are written, with the key that names it. */
  readonly node: Json;
  /** The whole configuration, for what a module refers to. */
  readonly document: Json;
}

/** Reports something: what is wrong and what to do, and where in the options of the module. */
export type Warn = (message: string, ...at: (string | number)[]) => void;

/** One check. */
export interface ConfigCheck {
  /** Name in kebab case, unique; shown with each finding so that tools can distinguish them. */
  readonly name: string;
  /** One sentence for people: what it finds. */
  readonly help: string;
  /** Ids of the modules that it looks at; `http.handlers.*` means all of a namespace. */
  readonly modules: readonly string[];
  /** Runs while the configuration is built for a rehearsal; may wait, as for a file. Must not change anything. */
  check(module: CheckedModule, warn: Warn): void | Promise<void>;
}

/** How bad a finding is: what cannot work or opens a hole, what is most likely not meant, what is worth knowing. */
export type Severity = 'error' | 'warning' | 'note';

/** A place in a file, counted from 1. */
export interface FindingPlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** The line that brought it there, for what stands in a file that is imported. */
  readonly imported?: { readonly file: string; readonly line: number };
}

/** Where else to look, such as the route that stands in the way. */
export interface RelatedPlace {
  readonly path: string;
  readonly message: string;
  readonly source?: string;
  readonly place?: FindingPlace;
}

/** One operation of a JSON Patch (RFC 6902). */
export type FixOperation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: Json }
  | { readonly op: 'remove'; readonly path: string };

/** A change of the document that mends what was found, and nothing else. */
export interface FindingFix {
  /** What it does, as an instruction: `remove the route`. */
  readonly title: string;
  readonly operations: readonly FixOperation[];
}

/** Something that a check found. */
export interface Finding {
  readonly check: string;
  /** Stable: `SL001`; absent for the few checks without one. */
  readonly code?: string;
  readonly severity: Severity;
  /** Where: `apps.http.servers.s.routes[0].handle[0].upstreams[0].dial`. */
  readonly path: string;
  /** What is wrong, and what to do. */
  readonly message: string;
  /** Where the value was written, if the configuration was adapted: `Caddyfile:12`. */
  readonly source?: string;
  /** The same for programs. */
  readonly place?: FindingPlace;
  /** The page, within the documentation, `reference/lint/SL001.md`, or an address of a third party's; absent where there is none. */
  readonly page?: string;
  readonly related?: readonly RelatedPlace[];
  readonly fix?: FindingFix;
}

/** Types a check where it is written. */
export function defineCheck(check: ConfigCheck): ConfigCheck {
  return Object.freeze(check);
}
