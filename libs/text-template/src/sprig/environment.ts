/** Template functions that read environment variables. A host can override them to hide the environment. */
import { declare, type TemplateFunction } from '../functions/declare.ts';
import { text } from '../functions/parameters.ts';

const variable = /\$(?:\{([^}]*)\}|([*#$@!?\-0-9])|([A-Za-z_][A-Za-z0-9_]*))/g;

function expand(value: string): string {
  return value.replace(variable, (_, braced?: string, special?: string, name?: string) => {
    return process.env[braced ?? special ?? name ?? ''] ?? '';
  });
}

export const environment: Readonly<Record<string, TemplateFunction>> = {
  env: declare([text], (name) => process.env[name] ?? ''),
  expandenv: declare([text], expand),
};
