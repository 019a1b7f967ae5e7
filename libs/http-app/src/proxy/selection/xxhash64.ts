import { byteAt, wordAt, numberAt } from '@sluice/base';

/** The five primes of xxHash64, each as a high and a low half. */
const prime1High = 0x9e3779b1;
const prime1Low = 0x85ebca87;
const prime2High = 0xc2b2ae3d;
const prime2Low = 0x27d4eb4f;
const prime3High = 0x165667b1;
const prime3Low = 0x9e3779f9;
const prime4High = 0x85ebca77;
const prime4Low = 0xc2b2ae63;
const prime5High = 0x27d4eb2f;
const prime5Low = 0x165667c5;

/** Size in bytes of a stripe, the unit that the four lanes consume together. */
const stripe = 32;

/**
 * High half of the current number. Stored in a module variable, because functions can return only one value. All code is synchronous, so
 * calls can't interfere.
 */
let high = 0;
let low = 0;

const lanes = new Int32Array(8);

/** A 64-bit unsigned hash as two 32-bit halves. */
export interface Hash64 {
  high: number;
  low: number;
}

/** Hashes `bytes[0..length)` and stores the hash in `result`. */
export function xxhash64(bytes: Buffer, length: number, result: Hash64): void {
  let i = 0;
  if (length >= stripe) {
    i = readStripes(bytes, length);
    mergeLanes();
  } else set(prime5High, prime5Low);
  add(0, length);
  for (; i + 8 <= length; i += 8) {
    const before = low;
    const beforeHigh = high;
    lane(0, 0, bytes.readInt32LE(i + 4), bytes.readInt32LE(i));
    set(high ^ beforeHigh, low ^ before);
    rotate(27);
    multiply(prime1High, prime1Low);
    add(prime4High, prime4Low);
  }
  if (i + 4 <= length) {
    mix(bytes.readInt32LE(i), prime1High, prime1Low);
    rotate(23);
    multiply(prime2High, prime2Low);
    add(prime3High, prime3Low);
    i += 4;
  }
  for (; i < length; i++) {
    mix(byteAt(bytes, i), prime5High, prime5Low);
    rotate(11);
    multiply(prime1High, prime1Low);
  }
  set(high, low ^ (high >>> 1));
  multiply(prime2High, prime2Low);
  set(high ^ (high >>> 29), low ^ ((low >>> 29) | (high << 3)));
  multiply(prime3High, prime3Low);
  result.high = high >>> 0;
  result.low = (low ^ high) >>> 0;
}

/** Processes whole stripes. Returns the offset after the last stripe. */
function readStripes(bytes: Buffer, length: number): number {
  set(prime1High, prime1Low);
  add(prime2High, prime2Low);
  keepLane(0);
  set(prime2High, prime2Low);
  keepLane(1);
  set(0, 0);
  keepLane(2);
  set(~prime1High, ~prime1Low);
  add(0, 1);
  keepLane(3);
  let i = 0;
  for (; i + stripe <= length; i += stripe) {
    for (let k = 0; k < 4; k++) {
      lane(
        wordAt(lanes, 2 * k),
        wordAt(lanes, 2 * k + 1),
        bytes.readInt32LE(i + 8 * k + 4),
        bytes.readInt32LE(i + 8 * k),
      );
      keepLane(k);
    }
  }
  return i;
}

/** Merges the four lanes into one 64-bit number. */
function mergeLanes(): void {
  let sumHigh = 0;
  let sumLow = 0;
  for (let k = 0; k < 4; k++) {
    set(wordAt(lanes, 2 * k), wordAt(lanes, 2 * k + 1));
    rotate(numberAt(laneTurns, k));
    add(sumHigh, sumLow);
    sumHigh = high;
    sumLow = low;
  }
  for (let k = 0; k < 4; k++) {
    lane(0, 0, wordAt(lanes, 2 * k), wordAt(lanes, 2 * k + 1));
    set(high ^ sumHigh, low ^ sumLow);
    multiply(prime1High, prime1Low);
    add(prime4High, prime4Low);
    sumHigh = high;
    sumLow = low;
  }
}

const laneTurns = [1, 7, 12, 18];

function keepLane(k: number): void {
  lanes[2 * k] = high;
  lanes[2 * k + 1] = low;
}

/** Processes eight input bytes in one lane. */
function lane(laneHigh: number, laneLow: number, inputHigh: number, inputLow: number): void {
  set(inputHigh, inputLow);
  multiply(prime2High, prime2Low);
  add(laneHigh, laneLow);
  rotate(31);
  multiply(prime1High, prime1Low);
}

/** XORs the current number with the product of a small number and a prime. */
function mix(value: number, primeHigh: number, primeLow: number): void {
  const before = low;
  const beforeHigh = high;
  set(0, value);
  multiply(primeHigh, primeLow);
  set(high ^ beforeHigh, low ^ before);
}

function set(newHigh: number, newLow: number): void {
  high = newHigh | 0;
  low = newLow | 0;
}

function add(otherHigh: number, otherLow: number): void {
  const sum = (low >>> 0) + (otherLow >>> 0);
  high = (high + otherHigh + (sum > 0xffffffff ? 1 : 0)) | 0;
  low = sum | 0;
}

/** Rotates the current number left by fewer than 32 bits. */
function rotate(bits: number): void {
  const turned = (high << bits) | (low >>> (32 - bits));
  low = (low << bits) | (high >>> (32 - bits));
  high = turned;
}

function multiply(otherHigh: number, otherLow: number): void {
  // Multiply in 16-bit parts, so that no intermediate product exceeds 53 bits.
  const a = low & 0xffff;
  const b = low >>> 16;
  const c = otherLow & 0xffff;
  const d = otherLow >>> 16;
  const middle = b * c + ((a * c) >>> 16);
  const carried = a * d + (middle & 0xffff);
  const over = b * d + Math.floor(middle / 0x10000) + Math.floor(carried / 0x10000);
  high = (over + Math.imul(low, otherHigh) + Math.imul(high, otherLow)) | 0;
  low = Math.imul(low, otherLow);
}
