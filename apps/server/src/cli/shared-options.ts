/** Options that several commands have in common. */
import { Option } from 'commander';
import { collect, count } from './option-values.ts';

export const config = new Option('-c, --config <file>', 'configuration file; "-" = standard input');
export const adapter = new Option('-a, --adapter <name>', 'name of the configuration adapter, if the file is not JSON');
export const envFile = new Option('--envfile <file>', 'file to load environment variables from (repeatable)').argParser(
  collect,
);
export const modules = new Option(
  '--module <package>',
  'additional module package or directory (repeatable)',
).argParser(collect);
export const address = new Option('--address <address>', "address of the server's admin endpoint");
export const workers = new Option(
  '--workers <n>',
  'number of worker threads; 0 = serve in the main thread (default: one per core)',
).argParser(count);
export const keepBackup = new Option('-k, --keep-backup', 'keep the previous package lists as *.backup files');
