/** Commands for what is around a server: passwords, stored data, packages, manual pages. */
import { Option } from 'commander';
import type { CommandSpec } from '@sluice/registry';
import { integer } from './option-values.ts';
import { adapter, config, envFile, keepBackup, modules } from './shared-options.ts';

/** In the order of the help. */
export const maintenanceCommands: readonly CommandSpec[] = [
  {
    name: 'hash-password',
    summary: 'hash a password for a configuration; it is asked for, or read from standard input',
    options: [
      new Option(
        '-p, --plaintext <password>',
        'the password; others on this machine can see it in the list of processes',
      ),
      new Option('-a, --algorithm <name>', 'bcrypt or argon2id (default: bcrypt)'),
      new Option('--bcrypt-cost <n>', 'each step doubles the work, 4 to 31 (default: 14)').argParser(integer),
      new Option('--argon2id-time <n>', 'passes over the memory (default: 1)').argParser(integer),
      new Option('--argon2id-memory <n>', 'memory in KiB (default: 47104)').argParser(integer),
      new Option('--argon2id-threads <n>', 'lanes that may be computed at once (default: 1)').argParser(integer),
      new Option('--argon2id-keylen <n>', 'length of the hash in bytes (default: 32)').argParser(integer),
    ],
    load: async () => (await import('./commands/hash-password.ts')).hashPassword,
  },
  {
    name: 'storage',
    summary: 'move what a server keeps, such as certificates, to another storage',
    options: [],
    subcommands: [
      {
        name: 'export',
        summary: 'write what a storage holds to a tar archive',
        options: [
          config,
          new Option('-o, --output <file>', 'the archive; "-" is standard output'),
          adapter,
          envFile,
          modules,
        ],
        load: async () => (await import('./commands/storage-export.ts')).exportStorage,
      },
      {
        name: 'import',
        summary: 'put what a tar archive holds into a storage',
        options: [
          config,
          new Option('-i, --input <file>', 'the archive; "-" is standard input'),
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
    summary: 'install packages of modules with npm, for all configurations of this user',
    options: [keepBackup],
    argument: { name: 'package...', help: 'name, name@version, folder or archive', values: [] },
    load: async () => (await import('./commands/add-package.ts')).addPackage,
  },
  {
    name: 'remove-package',
    summary: 'remove packages of modules',
    options: [keepBackup],
    argument: { name: 'package...', help: 'their names', values: [] },
    load: async () => (await import('./commands/remove-package.ts')).removePackage,
  },
  {
    name: 'upgrade',
    summary:
      'say which packages have newer versions, or have the program that is installed take over from the one that runs',
    options: [
      new Option('--exec', 'start the program that is on the disk now, and hand it all sockets of the running server'),
      new Option('--address <address>', 'where the admin endpoint of the running server is, for --exec'),
    ],
    load: async () => (await import('./commands/upgrade.ts')).upgrade,
  },
  {
    name: 'build-info',
    summary: 'print versions and hashes of the server, its packages and Node, and the newer releases of Node',
    options: [new Option('--licenses', 'print the license texts of everything that the server contains')],
    load: async () => (await import('./commands/build-info.ts')).buildInfo,
  },
  {
    name: 'manpage',
    summary: 'write a manual page for each command',
    options: [new Option('-o, --directory <folder>', 'the folder; it is made if there is none')],
    load: async () => (await import('./commands/manpage.ts')).manpage,
  },
];
