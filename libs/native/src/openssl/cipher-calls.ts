/** Memory and call lists shared by all keys of a thread. */
import { CallList } from '../call-list.ts';
import { addressNumber, Block } from '../memory.ts';

export const tagLength = 16;
export const control = { getTag: 0x10, setTag: 0x11 } as const;

/** Memory shared by all cipher calls of a thread. */
export interface Scratch {
  readonly nonce: Block;
  readonly nonceAt: bigint;
  readonly lengthAt: bigint;
  readonly mask: Block;
  readonly maskAt: bigint;
  readonly iv: Block;
  readonly ivAt: bigint;
  readonly zerosAt: bigint;
}

let scratchOfThread: Scratch | null = null;

export function scratch(): Scratch {
  if (scratchOfThread !== null) return scratchOfThread;
  const [nonce, length, mask, iv, zeros] = [16, 16, 32, 16, 16].map((size) => new Block(size).pin()) as [
    Block,
    Block,
    Block,
    Block,
    Block,
  ];
  scratchOfThread = {
    nonce,
    nonceAt: nonce.at(0, 16),
    lengthAt: length.at(0, 16),
    mask,
    maskAt: mask.at(0, 32),
    iv,
    ivAt: iv.at(0, 16),
    zerosAt: zeros.at(0, 16),
  };
  return scratchOfThread;
}

/** Indexes of calls in {@link AeadCalls}. The first call, at index 0, sets the nonce. */
const header = 1;
const body = 2;

/** The calls that encrypt or decrypt a packet, shared by all keys of a thread. */
export class AeadCalls {
  readonly #list: CallList;
  readonly #tag: number;

  constructor(list: CallList, { nonceAt, lengthAt }: Scratch, encrypts: boolean) {
    const [nonce, length] = [addressNumber(nonceAt), addressNumber(lengthAt)];
    const kind = encrypts ? 'Encrypt' : 'Decrypt';
    this.#list = list;
    // The tag is read after the last step of encryption, but set before the last step of decryption.
    this.#tag = encrypts ? 4 : 3;
    list.call(0, `EVP_${kind}Init`, 0, 0, 0, nonce);
    list.call(header, `EVP_${kind}Update`, 0, 0, length);
    list.call(body, `EVP_${kind}Update`, 0, 0, length);
    list.call(this.#tag, 'EVP_CIPHER_CTX_ctrl', 0, encrypts ? control.getTag : control.setTag, tagLength);
    // The final call writes no bytes after the payload, because these are stream ciphers.
    list.call(7 - this.#tag, `EVP_${kind}Final_ex`, 0, length, length);
  }

  /** Encrypts or decrypts the packet at an address. Returns false if OpenSSL reports a failure. */
  run(context: number, address: number, payload: number, end: number): boolean {
    const list = this.#list;
    for (let call = 0; call < 5; call++) list.argument(call, 0, context);
    list.argument(header, 3, address);
    list.argument(header, 4, payload);
    list.argument(body, 1, address + payload);
    list.argument(body, 3, address + payload);
    list.argument(body, 4, end - payload);
    list.argument(this.#tag, 3, address + end);
    list.run();
    return list.result(4) === 1;
  }
}

/** Call lists of a thread; `null` if call lists are not supported. */
interface Calls {
  readonly seal: AeadCalls;
  readonly open: AeadCalls;
  readonly aesMask: CallList;
  readonly chaChaMask: CallList;
}

let callsOfThread: Calls | null | undefined;

export function calls(): Calls | null {
  if (callsOfThread === undefined) callsOfThread = createCalls();
  return callsOfThread;
}

function createCalls(): Calls | null {
  const lists = [5, 5, 1, 2].map((count) => CallList.create(count));
  const [seal, open, aesMask, chaChaMask] = lists;
  if (seal == null || open == null || aesMask == null || chaChaMask == null) return null;
  const memory = scratch();
  const [maskAt, zerosAt] = [addressNumber(memory.maskAt), addressNumber(memory.zerosAt)];
  aesMask.call(0, 'EVP_Cipher', 0, maskAt, 0, 16);
  chaChaMask.call(0, 'EVP_EncryptInit', 0, 0, 0, 0);
  chaChaMask.call(1, 'EVP_Cipher', 0, maskAt, zerosAt, 16);
  return { seal: new AeadCalls(seal, memory, true), open: new AeadCalls(open, memory, false), aesMask, chaChaMask };
}
