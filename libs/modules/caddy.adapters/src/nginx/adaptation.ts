/** State of an adaptation: warnings, certificates, logs and defined variables. */
import { isAbsolute, join } from 'node:path';
import type { AdapterWarning } from '@sluice/contracts';
import type { Node } from './json.ts';
import type { Place } from './problem.ts';
import type { Directive } from './syntax/directive.ts';

/** A variable computed by the configuration. `User` is the type of the server that uses it. */
export interface DefinedVariable<User> {
  readonly placeholder: string;
  /** Returns the handlers that compute it before the request is processed. */
  readonly handlers: (user: User) => readonly Node[];
}

/** State of one configuration being adapted. */
export class Adaptation {
  /** Base directory of relative paths. */
  readonly folder: string;
  readonly warnings: AdapterWarning[] = [];
  readonly certificates = new Map<string, Node>();
  readonly logs = new Map<string, Node>();
  /** Names assigned by `set` and `auth_request_set`. */
  readonly assigned = new Set<string>();
  readonly upstreams = new Map<string, Directive>();
  /** True if `$uri` is used outside `try_files`, so that it must be updated after rewrites. */
  namesUri = false;
  readonly #said = new Set<string>();

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Adds a warning, once per line and message. */
  warn({ file, line }: Place, message: string): void {
    const key = `${file}:${line}:${message}`;
    if (this.#said.has(key)) return;
    this.#said.add(key);
    this.warnings.push({ file, line, message });
  }

  path(text: string): string {
    return isAbsolute(text) || text.startsWith('{') ? text : join(this.folder, text);
  }
}
