/** What is gathered while a configuration is adapted: warnings, certificates, logs, and the variables it defines. */
import { isAbsolute, join } from 'node:path';
import type { AdapterWarning } from '@sluice/contracts';
import type { Node } from './json.ts';
import type { Place } from './problem.ts';
import type { Directive } from './syntax/directive.ts';

/** A variable that the configuration computes. `User` is the server that uses it. */
export interface DefinedVariable<User> {
  readonly placeholder: string;
  /** The handlers that do so before a request is looked at. */
  readonly handlers: (user: User) => readonly Node[];
}

/** One configuration that is being adapted. */
export class Adaptation {
  /** Folder that relative paths begin at. */
  readonly folder: string;
  readonly warnings: AdapterWarning[] = [];
  /** Pairs of certificate and key, by the file of the certificate. */
  readonly certificates = new Map<string, Node>();
  /** Logs, by their name. */
  readonly logs = new Map<string, Node>();
  /** Names that `set` and `auth_request_set` give values to. */
  readonly assigned = new Set<string>();
  /** Blocks `upstream`, by name. */
  readonly upstreams = new Map<string, Directive>();
  /** Whether `$uri` is named anywhere but for files to try: its value must be kept current then. */
  namesUri = false;
  readonly #said = new Set<string>();

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Adds a warning; the same one of the same line only once. */
  warn({ file, line }: Place, message: string): void {
    const key = `${file}:${line}:${message}`;
    if (this.#said.has(key)) return;
    this.#said.add(key);
    this.warnings.push({ file, line, message });
  }

  /** A path of the configuration as an absolute one. */
  path(text: string): string {
    return isAbsolute(text) || text.startsWith('{') ? text : join(this.folder, text);
  }
}
