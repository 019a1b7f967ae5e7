/** Maintenance commands for passwords, stored data, packages, and manual pages. */
import { Option } from 'commander';
import type { CommandSpec } from '@sluice/registry';
import { integer } from './option-values.ts';
import { adapter, config, envFile, keepBackup, modules } from './shared-options.ts';

export const maintenanceCommands: readonly CommandSpec[] = [
  {
    name: 'hash-password',
    summary: 'hash a password, read from a prompt or standard input, for use in a configuration',
    options: [
      new Option(
        '-p, --plaintext <password>',
        'password to hash; other users of this machine can see it in the process list',
      ),
      new Option('-a, --algorithm <name>', 'hash algorithm: bcrypt or argon2id (default: bcrypt)'),
      new Option('--bcrypt-cost <n>', 'bcrypt cost, 4 to 31; each increment doubles the work (default: 14)').argParser(
        integer,
      ),
      new Option('--argon2id-time <n>', 'argon2id time cost: number of passes over the memory (default: 1)').argParser(
        integer,
      ),
      new Option('--argon2id-memory <n>', 'argon2id memory cost, in KiB (default: 47104)').argParser(integer),
      new Option('--argon2id-threads <n>', 'argon2id degree of parallelism (default: 1)').argParser(integer),
      new Option('--argon2id-keylen <n>', 'argon2id hash length, in bytes (default: 32)').argParser(integer),
    ],
    load: async () => (await import('./commands/hash-password.ts')).hashPassword,
  },
  {
    name: 'storage',
    summary: 'export and import stored data, such as certificates, for migration to another storage',
    options: [],
    subcommands: [
      {
        name: 'export',
        summary: 'export all stored data to a tar archive',
        options: [
          config,
          new Option('-o, --output <file>', 'archive file; "-" = standard output'),
          adapter,
          envFile,
          modules,
        ],
        load: async () => (await import('./commands/storage-export.ts')).exportStorage,
      },
      {
        name: 'import',
        summary: 'import stored data from a tar archive',
        options: [
          config,
          new Option('-i, --input <file>', 'archive file; "-" = standard input'),
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
    summary: "install module packages with npm, for all of this user's configurations",
    options: [keepBackup],
    argument: {
      name: 'package...',
      help: 'package to install: a name, name@version, directory or archive',
      values: [],
    },
    load: async () => (await import('./commands/add-package.ts')).addPackage,
  },
  {
    name: 'remove-package',
    summary: 'remove module packages',
    options: [keepBackup],
    argument: { name: 'package...', help: 'names of the packages to remove', values: [] },
    load: async () => (await import('./commands/remove-package.ts')).removePackage,
  },
  {
    name: 'upgrade',
    summary: 'list outdated packages, or replace a running server with the installed version, without downtime',
    options: [
      new Option('--exec', "start the installed version, and hand over the running server's sockets to it"),
      new Option('--address <address>', "address of the running server's admin endpoint, for --exec"),
    ],
    load: async () => (await import('./commands/upgrade.ts')).upgrade,
  },
  {
    name: 'build-info',
    summary: 'print the versions and hashes of the server, its packages and Node.js, and list newer Node.js releases',
    options: [new Option('--licenses', 'print the license texts of all components')],
    load: async () => (await import('./commands/build-info.ts')).buildInfo,
  },
  {
    name: 'manpage',
    summary: 'generate a manual page for each command',
    options: [new Option('-o, --directory <directory>', 'output directory, created if it does not exist')],
    load: async () => (await import('./commands/manpage.ts')).manpage,
  },
];
