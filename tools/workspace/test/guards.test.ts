import { expect } from 'chai';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkGuards, unguardedIn } from '../guards.mjs';

/** Returns the functions that are called with an unguarded callback. */
function found(text: string): string[] {
  return unguardedIn('a.ts', text).map(({ callee, line }) => `${line} ${callee}`);
}

describe('workspace script: guards', () => {
  for (const text of [
    "socket.on('close', () => work());",
    "socket.once('data', (chunk) => this.take(chunk));",
    "signal.addEventListener('abort', work);",
    'setTimeout(() => work(), 5);',
    'setInterval(work, 5);',
    'setImmediate(work);',
    'process.nextTick(() => JSON.parse(text));',
    'socket.setTimeout(5, () => work());',
    "import { readFile } from 'node:fs'; readFile('a', (error, bytes) => work(bytes));",
    "socket.on('close', async () => { await work(); });",
    "socket.on('close', () => { throw new Error('x'); });",
    "socket.on('close', () => { try { work(); } finally { socket.destroy(); } });",
    "socket.on('close', () => { try { work(); } catch (error) { more(error); } });",
    "class A { #closed() { work(); } start() { socket.on('close', () => this.#closed()); } }",
    "const onData = guarded(a, b); class A { onData() { work(); } start() { socket.on('data', this.onData); } }",
  ]) {
    it(`unguardedIn finds callbacks that may throw: ${text}`, () => expect(found(text)).to.have.length(1));
  }

  for (const text of [
    "socket.on('close', guarded(this, () => work()));",
    "const closed = guarded(this, work); socket.on('close', closed);",
    "class A { readonly #closed = guarded(this, () => work()); start() { socket.on('close', this.#closed); } }",
    "socket.on('close', () => { this.closed = true; socket.destroy(); });",
    "class A { #closed() { this.gone = true; } start() { socket.on('close', () => this.#closed()); } }",
    "socket.on('data', (chunk) => { try { work(chunk); } catch (error) { failOwner(this, error); } });",
    'await new Promise((done) => setTimeout(done, 5));',
    'setTimeout(() => unawaited(task, this.#round()), 5); class A { async #round() { await work(); } }',
    "import { readFileSync } from 'node:fs'; readFileSync(name(file));",
    "map.set('close', () => work());",
  ]) {
    it(`unguardedIn accepts a callback that cannot throw: ${text}`, () => expect(found(text)).to.deep.equal([]));
  }

  it('checkGuards reports unguarded callbacks in files without an exception, and exceptions that are no longer needed', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-guards-'));
    mkdirSync(join(folder, 'src'));
    writeFileSync(join(folder, 'src/a.ts'), "socket.on('close', work);");
    const from = { path: 'libs/a', folder };
    const reasons = { 'libs/a/src/b.ts': 'why', 'libs/b/src/': 'why' };
    expect(checkGuards(from, reasons)).to.deep.equal([
      "libs/a/src/a.ts:1: a callback runs without a guard: socket.on('close', work);",
      'guard-exceptions.mjs: libs/a/src/b.ts no longer needs an exception',
    ]);
    expect(checkGuards(from, { 'libs/a/src/a.ts': 'why' })).to.deep.equal([]);
    rmSync(folder, { recursive: true });
  });

  it('unguardedIn reports the line of an unguarded callback', () =>
    expect(found("\n\nsocket.on('close', work);")).to.deep.equal(['3 on']));
});
