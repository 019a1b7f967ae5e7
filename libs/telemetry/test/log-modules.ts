/** Log encoders and writers for tests of the `logging` section. */
import { logEncoders, logWriters } from '@sluice/contracts';
import { defineModule, options, string, type Registry } from '@sluice/registry';
import type { LogEntry } from '@sluice/base';

const encoder = (name: string) =>
  defineModule(logEncoders, {
    name,
    help: 'Begins lines with its name.',
    config: options({ end: string('What ends a line.') }),
    provision: ({ end }) => ({ encode: ({ message }: LogEntry) => `${name} ${message}${end ?? ''}` }),
  });
const writer = (name: string) =>
  defineModule(logWriters, {
    name,
    help: 'Is opened by the test.',
    config: options({}),
    provision: () => ({ key: name, open: () => Promise.reject(new Error('not here')) }),
  });

/** Registers the encoders `json` and `console`, and the writers `stderr`, `stdout` and `file`. The writers are never opened. */
export function registerLogModules(registry: Registry): void {
  for (const name of ['json', 'console']) registry.add(encoder(name));
  for (const name of ['stderr', 'stdout', 'file']) registry.add(writer(name));
}
