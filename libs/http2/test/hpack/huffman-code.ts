/** The Huffman code as listed in RFC 7541 appendix B. The tests compare it with the computed code. */

/** `bits/code` for each byte and for the end-of-string symbol. The code is in hexadecimal. */
const table =
  '13/1ff8 23/7fffd8 28/fffffe2 28/fffffe3 28/fffffe4 28/fffffe5 28/fffffe6 28/fffffe7 28/fffffe8 24/ffffea ' +
  '30/3ffffffc 28/fffffe9 28/fffffea 30/3ffffffd 28/fffffeb 28/fffffec 28/fffffed 28/fffffee 28/fffffef 28/ffffff0 ' +
  '28/ffffff1 28/ffffff2 30/3ffffffe 28/ffffff3 28/ffffff4 28/ffffff5 28/ffffff6 28/ffffff7 28/ffffff8 28/ffffff9 ' +
  '28/ffffffa 28/ffffffb 6/14 10/3f8 10/3f9 12/ffa 13/1ff9 6/15 8/f8 11/7fa 10/3fa 10/3fb 8/f9 11/7fb 8/fa 6/16 ' +
  '6/17 6/18 5/0 5/1 5/2 6/19 6/1a 6/1b 6/1c 6/1d 6/1e 6/1f 7/5c 8/fb 15/7ffc 6/20 12/ffb 10/3fc 13/1ffa 6/21 7/5d ' +
  '7/5e 7/5f 7/60 7/61 7/62 7/63 7/64 7/65 7/66 7/67 7/68 7/69 7/6a 7/6b 7/6c 7/6d 7/6e 7/6f 7/70 7/71 7/72 8/fc ' +
  '7/73 8/fd 13/1ffb 19/7fff0 13/1ffc 14/3ffc 6/22 15/7ffd 5/3 6/23 5/4 6/24 5/5 6/25 6/26 6/27 5/6 7/74 7/75 6/28 ' +
  '6/29 6/2a 5/7 6/2b 7/76 6/2c 5/8 5/9 6/2d 7/77 7/78 7/79 7/7a 7/7b 15/7ffe 11/7fc 14/3ffd 13/1ffd 28/ffffffc ' +
  '20/fffe6 22/3fffd2 20/fffe7 20/fffe8 22/3fffd3 22/3fffd4 22/3fffd5 23/7fffd9 22/3fffd6 23/7fffda 23/7fffdb ' +
  '23/7fffdc 23/7fffdd 23/7fffde 24/ffffeb 23/7fffdf 24/ffffec 24/ffffed 22/3fffd7 23/7fffe0 24/ffffee 23/7fffe1 ' +
  '23/7fffe2 23/7fffe3 23/7fffe4 21/1fffdc 22/3fffd8 23/7fffe5 22/3fffd9 23/7fffe6 23/7fffe7 24/ffffef 22/3fffda ' +
  '21/1fffdd 20/fffe9 22/3fffdb 22/3fffdc 23/7fffe8 23/7fffe9 21/1fffde 23/7fffea 22/3fffdd 22/3fffde 24/fffff0 ' +
  '21/1fffdf 22/3fffdf 23/7fffeb 23/7fffec 21/1fffe0 21/1fffe1 22/3fffe0 21/1fffe2 23/7fffed 22/3fffe1 23/7fffee ' +
  '23/7fffef 20/fffea 22/3fffe2 22/3fffe3 22/3fffe4 23/7ffff0 22/3fffe5 22/3fffe6 23/7ffff1 26/3ffffe0 26/3ffffe1 ' +
  '20/fffeb 19/7fff1 22/3fffe7 23/7ffff2 22/3fffe8 25/1ffffec 26/3ffffe2 26/3ffffe3 26/3ffffe4 27/7ffffde ' +
  '27/7ffffdf 26/3ffffe5 24/fffff1 25/1ffffed 19/7fff2 21/1fffe3 26/3ffffe6 27/7ffffe0 27/7ffffe1 26/3ffffe7 ' +
  '27/7ffffe2 24/fffff2 21/1fffe4 21/1fffe5 26/3ffffe8 26/3ffffe9 28/ffffffd 27/7ffffe3 27/7ffffe4 27/7ffffe5 ' +
  '20/fffec 24/fffff3 20/fffed 21/1fffe6 22/3fffe9 21/1fffe7 21/1fffe8 23/7ffff3 22/3fffea 22/3fffeb 25/1ffffee ' +
  '25/1ffffef 24/fffff4 24/fffff5 26/3ffffea 23/7ffff4 26/3ffffeb 27/7ffffe6 26/3ffffec 26/3ffffed 27/7ffffe7 ' +
  '27/7ffffe8 27/7ffffe9 27/7ffffea 27/7ffffeb 28/ffffffe 27/7ffffec 27/7ffffed 27/7ffffee 27/7ffffef 27/7fffff0 ' +
  '26/3ffffee 30/3fffffff';

/** Each code as a string of bits. The last one is the end-of-string symbol. */
export const codes: readonly string[] = table.split(' ').map((entry) => {
  const [bits = '', code = ''] = entry.split('/');
  return Number.parseInt(code, 16).toString(2).padStart(Number(bits), '0');
});

export function encodeHuffman(text: Buffer, padding?: string): Buffer {
  const bits = [...text].map((byte) => codes[byte]).join('');
  const all = bits + (padding ?? '1'.repeat((8 - (bits.length % 8)) % 8));
  return Buffer.from(all.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? []);
}
