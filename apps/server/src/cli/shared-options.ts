/** Options shared by several commands. */
import { Option } from 'commander';
import { collect, count } from './option-values.ts';

export const config = new Option('-c, --config <file>', 'configuration file; "-" reads standard input');
export const adapter = new Option('-a, --adapter <name>', 'configuration adapter, if the file is not JSON');
export const envFile = new Option('--envfile <file>', 'environment file (repeatable)').argParser(collect);
export const modules = new Option(
  '--module <package>',
  'additional module package or directory (repeatable)',
).argParser(collect);
export const address = new Option('--address <address>', 'admin endpoint of the server');
export const workers = new Option(
  '--workers <n>',
  'number of worker threads; 0 serves in the main thread (default: one per core)',
).argParser(count);
export const keepBackup = new Option('-k, --keep-backup', 'keep the previous package lists as *.backup');
