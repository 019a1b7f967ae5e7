/** Caddyfiles become the native JSON by the reference's own command. */
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

/** What came of a Caddyfile: a configuration, or why it is none. */
export type Adapted = { readonly config: unknown } | { readonly error: string };

/** Adapts a Caddyfile. `folder` is where its imports and file names begin. */
export async function adapt(
  [program = '', ...args]: readonly string[],
  caddyfile: string,
  folder: string,
): Promise<Adapted> {
  const child = spawn(program, [...args, 'adapt', '--config', '-', '--adapter', 'caddyfile'], { cwd: folder });
  const ended = new Promise<number | null>((resolve, reject) => child.on('error', reject).on('exit', resolve));
  // A command that refuses early may not read all of it.
  child.stdin.on('error', () => {}).end(caddyfile);
  const [code, output, said] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return code === 0 ? { config: JSON.parse(output) as unknown } : { error: errorIn(said) };
}

/** The message of the last line of a log, as its admin API would give it: there the file has a name. */
export function errorIn(said: string): string {
  const line = said.trim().split('\n').at(-1) ?? '';
  return messageOf(line).replace(/(^|\s)-:(?=\d)/g, '$1Caddyfile:');
}

function messageOf(line: string): string {
  try {
    const { msg } = JSON.parse(line) as { msg?: unknown };
    return typeof msg === 'string' ? msg : line;
  } catch {
    return line;
  }
}
