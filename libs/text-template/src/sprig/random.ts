/** Template functions for random strings and numbers. They use the operating system's random generator. */
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { declare, type TemplateFunction } from '../functions/declare.ts';
import { integer, text } from '../functions/parameters.ts';
import { checkCharacters } from '../limits/size.ts';

const digits = '0123456789';
const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const ascii = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).join('');

function randomText(alphabet: string): TemplateFunction {
  return declare([integer], (count) => {
    checkCharacters(count);
    let picked = '';
    for (let i = 0; i < count; i++) picked += alphabet.charAt(randomInt(alphabet.length));
    return picked;
  });
}

function shuffle(value: string): string {
  const characters = [...value];
  for (let i = characters.length - 1; i > 0; i--) {
    const other = randomInt(i + 1);
    [characters[i], characters[other]] = [characters[other] ?? '', characters[i] ?? ''];
  }
  return characters.join('');
}

function randomBetween(min: number, max: number): number {
  if (max <= min) throw new Error('invalid argument to Intn');
  return min + randomInt(Math.min(max - min, 2 ** 48 - 1));
}

export const randoms: Readonly<Record<string, TemplateFunction>> = {
  randAlphaNum: randomText(letters + digits),
  randAlpha: randomText(letters),
  randAscii: randomText(ascii),
  randNumeric: randomText(digits),
  randInt: declare([integer, integer], randomBetween),
  randBytes: declare([integer], (count) => {
    checkCharacters(count);
    return randomBytes(Math.max(count, 0)).toString('base64');
  }),
  shuffle: declare([text], shuffle),
  uuidv4: declare([], () => randomUUID()),
};
