/** Access to the machine that runs this process. */
import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { SluiceError } from '@sluice/base';
import type { Machine } from './store.ts';

/** Timeout for programs in milliseconds. It allows time for password prompts. */
const timeout = 60_000;

export const thisMachine: Machine = {
  platform: process.platform,
  root: '',
  home: homedir(),
  has: findProgram,
  run: runProgram,
};

/** Reports whether a program is in `PATH`. */
async function findProgram(command: string): Promise<boolean> {
  const endings = process.platform === 'win32' ? ['.exe', '.cmd'] : [''];
  for (const folder of (process.env.PATH ?? '').split(delimiter).filter((each) => each !== '')) {
    for (const ending of endings) {
      const found = await access(join(folder, command + ending), constants.X_OK).then(
        () => true,
        () => false,
      );
      if (found) return true;
    }
  }
  return false;
}

/** Runs a program in `PATH`, without a shell. */
async function runProgram(command: string, args: readonly string[]): Promise<void> {
  try {
    await promisify(execFile)(command, [...args], { timeout });
  } catch (error) {
    const said = String((error as { stderr?: string }).stderr ?? '').trim();
    throw new SluiceError('ERR_PKI_TRUST', `${command} failed: ${said === '' ? (error as Error).message : said}`, {
      cause: error,
    });
  }
}
