/** Reads a password from the terminal without echo, or from the first line of standard input. */
import { itemAt } from '@sluice/base';
import { readFileSync } from 'node:fs';
import type { ReadStream } from 'node:tty';
import { CommandError } from '../../failure.ts';

/** Reads a password. On a terminal, prompts twice, because the user can't see the input. */
export async function readPassword(): Promise<string> {
  if (!process.stdin.isTTY) return firstLine(readFileSync(0, 'utf8'));
  const password = await typed('Enter password: ');
  if ((await typed('Confirm password: ')) !== password)
    throw new CommandError('the passwords do not match; nothing was hashed');
  return password;
}

function firstLine(text: string): string {
  return itemAt(text.split('\n'), 0).replace(/\r$/, '');
}

const [interrupt, endOfInput, backspace, erase] = ['\u0003', '\u0004', '\b', '\u007F'];

/** Reads one line from the terminal without echo. */
function typed(prompt: string): Promise<string> {
  const terminal: ReadStream = process.stdin;
  // Disable echo before printing the prompt, so that early input is hidden too.
  terminal.setRawMode(true).setEncoding('utf8').resume();
  process.stderr.write(prompt);
  return new Promise((resolve, reject) => {
    let line = '';
    const end = (): void => {
      terminal.off('data', take).setRawMode(false).pause();
      process.stderr.write('\n');
    };
    const take = (keys: string): void => {
      for (const key of keys) {
        if (key === '\r' || key === '\n' || key === endOfInput) return (end(), resolve(line));
        if (key === interrupt) return (end(), reject(new CommandError('interrupted; nothing was hashed')));
        if (key === backspace || key === erase) line = [...line].slice(0, -1).join('');
        else line += key;
      }
    };
    terminal.on('data', take);
  });
}
