/** Reads environment files with `KEY=VALUE` lines, in Caddy's format. */
import { itemAt } from '@sluice/base';
import { readFileSync } from 'node:fs';
import { CommandError } from '../failure.ts';

export type Variable = readonly [name: string, value: string];

/** Sets environment variables from files. Variables that are already set, or set by an earlier file, take precedence. */
export function loadEnvFiles(files: readonly string[]): void {
  for (const file of files) {
    let text: string;
    try {
      text = readFileSync(file, 'utf8');
    } catch (error) {
      throw new CommandError(`reading the environment file: ${(error as Error).message}`, error);
    }
    for (const [name, value] of parseEnvFile(text, file)) process.env[name] ??= value;
  }
}

/**
 * Parses `KEY=VALUE` lines with an optional `export ` prefix. Skips blank lines and lines that begin with `#`. ` #` starts a comment.
 *
 * Quoted values can span several lines and are literal.
 */
export function parseEnvFile(text: string, file: string): Variable[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const variables: Variable[] = [];
  for (let i = 0; i < lines.length; i++) {
    const fail = (message: string): never => {
      throw new CommandError(`${file}:${i + 1}: ${message}`);
    };
    const line = itemAt(lines, i).trim();
    if (line === '' || line.startsWith('#')) continue;
    const equals = line.indexOf('=');
    if (equals < 0) fail('expected KEY=VALUE');
    const name = line.slice(0, equals).replace(/^export\s+/, '');
    if (name === '' || /\s/.test(name)) fail(`${JSON.stringify(name)} is not a variable name`);
    let value = line.slice(equals + 1);
    if (/^\s/.test(value)) fail('whitespace around "=" is not allowed');
    const quote = value[0];
    if (quote === '"' || quote === "'") {
      value = value.slice(1);
      while (!value.includes(quote)) {
        if (++i >= lines.length) fail(`the value of ${name} has no closing ${quote}`);
        value += `\n${itemAt(lines, i)}`;
      }
      value = value.slice(0, value.indexOf(quote));
    } else {
      value = value.replace(/#.*$/, '').trimEnd();
    }
    variables.push([name, value]);
  }
  return variables;
}
