/** Maintenance commands: passwords, stored data, packages, manual pages. */
import { Option } from 'commander';
import type { CommandSpec } from '@sluice/registry';
import { integer } from './option-values.ts';
import { adapter, config, envFile, keepBackup, modules } from './shared-options.ts';

/** In help order. */
export const maintenanceCommands: readonly CommandSpec[] = [
  {
    name: 'hash-password',
    summary: 'hash a password for a configuration; reads it from a prompt or standard input',
    options: [
      new Option('-p, --plaintext <password>', 'password; other users of this machine can see it in the process list'),
      new Option('-a, --algorithm <name>', 'bcrypt or argon2id (default: bcrypt)'),
      new Option('--bcrypt-cost <n>', 'bcrypt cost, 4 to 31; each step doubles the work (default: 14)').argParser(
        integer,
      ),
      new Option('--argon2id-time <n>', 'number of passes over the memory (default: 1)').argParser(integer),
      new Option('--argon2id-memory <n>', 'memory in KiB (default: 47104)').argParser(integer),
      new Option('--argon2id-threads <n>', 'degree of parallelism (default: 1)').argParser(integer),
      new Option('--argon2id-keylen <n>', 'hash length in bytes (default: 32)').argParser(integer),
    ],
    load: async () => (await import('./commands/hash-password.ts')).hashPassword,
  },
  {
    name: 'storage',
    summary: 'migrate stored data, such as certificates, to another storage',
    options: [],
    subcommands: [
      {
        name: 'export',
        summary: 'export a storage to a tar archive',
        options: [
          config,
          new Option('-o, --output <file>', 'archive file; "-" is standard output'),
          adapter,
          envFile,
          modules,
        ],
        load: async () => (await import('./commands/storage-export.ts')).exportStorage,
      },
      {
        name: 'import',
        summary: 'import a tar archive into a storage',
        options: [
          config,
          new Option('-i, --input <file>', 'archive file; "-" is standard input'),
          adapter,
          envFile,
          modules,
        ],
        load: async () => (await import('./commands/storage-import.ts')).importStorage,
      },
    ],
  },
  {
    name: 'add-package',
    summary: 'install module packages with npm, for all configurations of this user',
    options: [keepBackup],
    argument: { name: 'package...', help: 'name, name@version, directory or archive', values: [] },
    load: async () => (await import('./commands/add-package.ts')).addPackage,
  },
  {
    name: 'remove-package',
    summary: 'remove module packages',
    options: [keepBackup],
    argument: { name: 'package...', help: 'package names', values: [] },
    load: async () => (await import('./commands/remove-package.ts')).removePackage,
  },
  {
    name: 'upgrade',
    summary: 'list outdated packages, or hand over a running server to the installed version',
    options: [
      new Option('--exec', 'start the currently installed program, and hand over all sockets of the running server'),
      new Option('--address <address>', 'admin endpoint of the running server, for --exec'),
    ],
    load: async () => (await import('./commands/upgrade.ts')).upgrade,
  },
  {
    name: 'build-info',
    summary: 'print versions and hashes of the server, its packages and Node, and newer Node releases',
    options: [new Option('--licenses', 'print the license texts of all components')],
    load: async () => (await import('./commands/build-info.ts')).buildInfo,
  },
  {
    name: 'manpage',
    summary: 'generate a manual page for each command',
    options: [new Option('-o, --directory <directory>', 'output directory; created if missing')],
    load: async () => (await import('./commands/manpage.ts')).manpage,
  },
];
