/**
 * Calls several C functions with a single call through `node:ffi`. A call through `node:ffi` with more than three arguments takes about 250
 * ns, longer than OpenSSL needs to encrypt a packet. A call list stores functions and arguments in memory. 56 bytes of machine code make
 * the calls. `node:ffi` can only call functions by name, so the machine code is called by `tfind`, a libc function with three arguments.
 * Available on Linux on x64. On other platforms, callers make single calls.
 */
import { functionsOf, symbolAddress, type Functions } from './library.ts';
import { addressNumber, Block } from './memory.ts';

/** Size of a list entry in bytes. An entry has eight 64-bit words: function, six arguments, and result. A null function ends the list. */
const entrySize = 64;
const resultAt = 14;

/** Machine code of `int run(const Entry *list, const void *unused)` for the System V calling convention. */
const x64 = [
  'f30f1efa 53 4889fb', //       endbr64; push rbx; mov rbx, rdi
  '488b03 4885c0 7424', //       next: mov rax, [rbx]; test rax, rax; jz done
  '488b7b08 488b7310', //        mov rdi, [rbx+8]; mov rsi, [rbx+16]
  '488b5318 488b4b20', //        mov rdx, [rbx+24]; mov rcx, [rbx+32]
  '4c8b4328 4c8b4b30', //        mov r8, [rbx+40]; mov r9, [rbx+48]
  'ffd0 48894338 4883c340', //   call rax; mov [rbx+56], rax; add rbx, 64
  'ebd4', //                     jmp next
  '31c0 5b c3', //               done: xor eax, eax; pop rbx; ret
].join('');

const signatures = {
  mmap: ['p', 'p', 'L', 'i', 'i', 'i', 'l'],
  mprotect: ['i', 'p', 'L', 'i'],
  munmap: ['i', 'p', 'L'],
  memcpy: ['p', 'p', 'p', 'L'],
  tfind: ['p', 'p', 'p', 'p'],
} as const;

// Constants from `<sys/mman.h>` on Linux.
const readable = 1;
const writable = 2;
const executable = 4;
const privateAnonymous = 0x22;
const pageSize = 4096;

/**
 * Memory shared by all call lists of a thread: the machine code, and a tree with one node. The node is needed because `tfind` calls no
 * function if the tree is empty.
 */
interface Runner {
  readonly code: bigint;
  readonly root: bigint;
  readonly functions: Functions<typeof signatures>;
}

let runner: Runner | null | undefined;

/** Returns the thread's runner. Returns `null` if call lists are not supported here, or if the system forbids new executable memory. */
function runnerOfThread(): Runner | null {
  if (runner === undefined) runner = isSupported() ? create() : null;
  return runner;
}

function isSupported(): boolean {
  return process.platform === 'linux' && process.arch === 'x64';
}

function create(): Runner | null {
  const functions = functionsOf(signatures);
  const code = functions.mmap(0n, BigInt(pageSize), readable | writable, privateAnonymous, -1, 0n);
  if (code === 0xffff_ffff_ffff_ffffn) return null;
  const bytes = Buffer.from(x64.replaceAll(' ', ''), 'hex');
  const source = new Block(bytes.length);
  bytes.copy(source.bytes);
  functions.memcpy(code, source.at(0, bytes.length), BigInt(bytes.length));
  // Using `source` here keeps its memory allocated until the copy is complete.
  if (source.bytes.length < bytes.length || functions.mprotect(code, BigInt(pageSize), readable | executable) !== 0) {
    functions.munmap(code, BigInt(pageSize));
    return null;
  }
  // A tree node starts with the pointer to its key, followed by the pointers to its children.
  const node = new Block(64).pin();
  const root = new Block(8).pin();
  root.bytes.writeBigUInt64LE(node.at(0, 64));
  return { code, root: root.at(0, 8), functions };
}

/**
 * List of C functions with their arguments. An argument is an integer, or an address as a number. Numbers represent addresses exactly up to
 * 2^53.
 */
export class CallList {
  readonly #block: Block;
  readonly #words: Uint32Array;
  readonly #address: bigint;
  readonly #runner: Runner;

  private constructor(count: number, made: Runner) {
    const size = (count + 1) * entrySize;
    this.#block = new Block(size);
    this.#words = new Uint32Array(this.#block.bytes.buffer, this.#block.bytes.byteOffset, size / 4);
    this.#address = this.#block.at(0, size);
    this.#runner = made;
  }

  /** Creates a list of `count` calls. Returns `null` if call lists are not supported. */
  static create(count: number): CallList | null {
    const made = runnerOfThread();
    return made === null ? null : new CallList(count, made);
  }

  /** Sets the function of a call and its first arguments. */
  call(index: number, name: string, ...args: readonly number[]): void {
    this.#set(index * 16, addressNumber(symbolAddress(name)));
    for (const [i, argument] of args.entries()) this.argument(index, i, argument);
  }

  /** Sets an argument of a call. Arguments are numbered from 0. */
  argument(index: number, which: number, value: number): void {
    this.#set(index * 16 + 2 + which * 2, value);
  }

  #set(at: number, value: number): void {
    const words = this.#words;
    words[at] = value;
    words[at + 1] = value / 0x1_0000_0000;
  }

  /** Makes the calls in order. All memory that the arguments reference must be valid. */
  run(): void {
    const { functions, root, code } = this.#runner;
    functions.tfind(this.#address, root, code);
  }

  /** Returns the result of a call in the last run, as a signed 32-bit integer. */
  result(index: number): number {
    return (this.#words[index * 16 + resultAt] ?? 0) | 0;
  }
}
