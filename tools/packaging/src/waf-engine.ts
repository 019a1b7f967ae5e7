/** Builds the engine of the web application firewall. Packages contain it next to the executable. */
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { run } from './npm-files.ts';
import type { Target } from './targets.ts';

const engineName = 'waf-engine';

/** Builds the engine for a target in a directory. Returns the reason if it cannot be built. */
export function makeEngine(folder: string, { platform, arch }: Target): string | null {
  const file = join(folder, engineName);
  const licenses = licensesOfEngine(file);
  for (const each of [file, licenses]) rmSync(each, { force: true });
  let built: string;
  try {
    built = run(process.execPath, ['tools/workspace/waf-engine.mjs', '--target', platform, arch]).trim();
  } catch (error) {
    return String(error).replace(/^.* failed: /s, '');
  }
  mkdirSync(folder, { recursive: true });
  copyFileSync(built, file);
  chmodSync(file, 0o755);
  copyFileSync(join(dirname(built), 'licenses.txt'), licenses);
  return null;
}

/** Returns the path of the engine next to an executable, or `null` if there is none. */
export function engineOf(program: string): string | null {
  const file = join(dirname(program), engineName);
  return existsSync(file) ? file : null;
}

/** Returns the licenses of the engine next to an executable, or an empty string if there is none. */
export function engineLicenses(program: string): string {
  const file = engineOf(program);
  return file === null ? '' : readFileSync(licensesOfEngine(file), 'utf8').trim();
}

function licensesOfEngine(file: string): string {
  return `${file}.licenses.txt`;
}
