/** Reads an nginx configuration and the files that it includes. */
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { checkExternalRead, messageOf } from '@sluice/base';
import { problemAt } from '../problem.ts';
import { argument, type Directive } from './directive.ts';
import { parse } from './parser.ts';

/** Maximum nesting depth of includes, and maximum number of included files. */
const maxDepth = 20;
const maxFiles = 5_000;

/** Files of the nginx package that Sluice does not need, with reasons. These files may be missing. */
const dispensable: Readonly<Record<string, string>> = {
  'mime.types': 'content types default to those of nginx',
  fastcgi_params: 'FastCGI parameters are set by default',
  'fastcgi.conf': 'FastCGI parameters are set by default',
};

/** Parameters of reading. */
export interface Reading {
  /** Base directory of relative `include` paths. */
  readonly folder: string;
  readonly warn: (directive: Directive, message: string) => void;
  /** Called with the path or pattern of each `include`. */
  readonly reads?: ((pattern: string) => void) | undefined;
}

/** Parses a configuration file and replaces each `include` with the directives of the included files. */
export function readDirectives(text: string, file: string, reading: Reading): Directive[] {
  return new Reader(reading).expand(parse(text, file), 0);
}

class Reader {
  readonly #reading: Reading;
  #files = 0;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  expand(directives: readonly Directive[], depth: number): Directive[] {
    return directives.flatMap((directive) => {
      if (directive.name === 'include' && directive.block === null) return this.#include(directive, depth);
      if (directive.block === null) return [directive];
      return [{ ...directive, block: this.expand(directive.block, depth) }];
    });
  }

  #include(directive: Directive, depth: number): Directive[] {
    const pattern = argument(directive, 0, 'a file path, which may contain wildcards');
    if (depth >= maxDepth) throw problemAt(directive, `includes are nested more than ${maxDepth} levels deep`);
    const path = isAbsolute(pattern) ? pattern : join(this.#reading.folder, pattern);
    refuseConfined(directive, pattern);
    this.#reading.reads?.(path);
    const several = /[*?[]/.test(path);
    const files = several ? globSync(path).sort() : [path];
    return files.flatMap((file) => {
      if (++this.#files > maxFiles) throw problemAt(directive, `more than ${maxFiles} files are included`);
      const text = this.#read(directive, file);
      return text === null ? [] : this.expand(parse(text, file), depth + 1);
    });
  }

  #read(directive: Directive, file: string): string | null {
    try {
      return readFileSync(file, 'utf8');
    } catch (error) {
      const reason = dispensable[basename(file)];
      if (reason === undefined) throw problemAt(directive, `include ${file}: ${messageOf(error)}`, error);
      this.#reading.warn(directive, `${file} cannot be read and is ignored: ${reason}`);
      return null;
    }
  }
}

/** Returns the directory of a configuration file. If there is no file, returns the working directory. */
export function folderOf(file: string): string {
  return file === '' ? process.cwd() : resolve(dirname(file));
}

function refuseConfined(directive: Directive, pattern: string): void {
  try {
    checkExternalRead(`include ${pattern}`);
  } catch (error) {
    throw problemAt(directive, messageOf(error), error);
  }
}
