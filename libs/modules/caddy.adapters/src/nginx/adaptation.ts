/** State of an nginx adaptation: warnings, certificates, logs and defined variables. */
import { isAbsolute, join } from 'node:path';
import type { AdapterWarning } from '@sluice/contracts';
import type { Node } from './json.ts';
import type { Place } from './problem.ts';
import type { Directive } from './syntax/directive.ts';

/** A variable that the nginx configuration computes. `User` is the type of the server that uses the variable. */
export interface DefinedVariable<User> {
  readonly placeholder: string;
  /** Returns the handlers that compute the variable before the request is processed. */
  readonly handlers: (user: User) => readonly Node[];
}

/** State of the nginx configuration that is being adapted. */
export class Adaptation {
  /** Base directory for relative paths. */
  readonly folder: string;
  readonly warnings: AdapterWarning[] = [];
  readonly certificates = new Map<string, Node>();
  readonly logs = new Map<string, Node>();
  /** Names of the variables that `set` and `auth_request_set` assign. */
  readonly assigned = new Set<string>();
  readonly upstreams = new Map<string, Directive>();
  /** True if `$uri` is used outside `try_files`. If so, `$uri` must be updated after rewrites. */
  namesUri = false;
  readonly #said = new Set<string>();

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Adds a warning. The same message is added only once per line. */
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
