/** Lint check SL019. */
import { existsSync } from 'node:fs';
import { explainsConfined } from '@sluice/base';
import { defineLint, nativeJson, rareTexts } from '@sluice/registry';

const example = (body: string): object => ({
  apps: {
    http: {
      servers: { web: { listen: [':8080'], routes: [{ handle: [{ handler: 'static_response', body }] }] } },
    },
  },
});

export const unsetValue = defineLint({
  code: 'SL019',
  name: 'unset-value',
  severity: 'note',
  summary: 'An environment variable is not set on this machine, or a file is missing.',
  details: `\`{env.NAME}\` is empty if the variable is not set, and \`{file./path}\` is empty if the file cannot be read. This check uses the machine and environment in which you run the linter. To load variables from a file, use \`--envfile\`.`,
  bad: nativeJson(example('{env.SLUICE_NO_SUCH_VARIABLE}')),
  good: nativeJson(example('{env.PATH}')),
  check(configuration, report) {
    // Skip the check: its findings would reveal to clients without full permissions which files and variables exist.
    if (explainsConfined()) return;
    for (const { text, path } of rareTexts(configuration)) {
      for (const [, kind, name = ''] of text.matchAll(/(?<!\\)\{(env|file)\.([^{}]+)\}/g)) {
        if (kind === 'env' && process.env[name] === undefined)
          report(
            path,
            `the environment variable ${name} is not set on this machine, so the placeholder is empty: set it`,
          );
        if (kind === 'file' && !existsSync(name))
          report(path, `the file ${name} does not exist on this machine, so the placeholder is empty: create it`);
      }
    }
  },
});
