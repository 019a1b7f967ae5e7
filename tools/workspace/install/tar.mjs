/** Reads the tar archives that npm creates, with POSIX headers and extended headers for long paths. Runs on Node 20 and has no dependencies. */

const blockSize = 512;

/**
 * A regular file of an archive.
 * @typedef {object} TarFile
 * @property {string} path inside the package: the first segment, such as `package/`, is removed
 * @property {boolean} executable
 * @property {Buffer} content a view of the archive
 */

/** Returns the text of a header field, which ends at the first NUL byte. @param {Buffer} header @param {number} start @param {number} length */
function field(header, start, length) {
  const end = header.indexOf(0, start);
  return header.toString('utf8', start, end < 0 ? start + length : Math.min(end, start + length));
}

/** Returns the path that an extended header sets for the next file, if any (POSIX.1-2017, pax). @param {Buffer} content */
const extendedPath = (content) => /(?:^|\n)\d+ path=([^\n]*)\n/.exec(content.toString())?.[1] ?? null;

/**
 * Yields the regular files of an uncompressed archive. Skips links, as npm does.
 * @param {Buffer} archive @returns {Generator<TarFile>}
 */
export function* readTar(archive) {
  /** @type {string | null} */
  let nextPath = null;
  for (let at = 0; at + blockSize <= archive.length && archive[at] !== 0;) {
    const header = archive.subarray(at, at + blockSize);
    const size = Number.parseInt(field(header, 124, 12), 8) || 0;
    const content = archive.subarray(at + blockSize, at + blockSize + size);
    if (content.length < size) throw new Error('the archive is truncated');
    const type = field(header, 156, 1);
    if (type === 'x') nextPath = extendedPath(content);
    if (type === '0' || type === '') {
      const prefix = field(header, 345, 155);
      const full = nextPath ?? (prefix === '' ? '' : `${prefix}/`) + field(header, 0, 100);
      const path = full.slice(full.indexOf('/') + 1);
      if (path.split('/').includes('..')) throw new Error(`path ${full} is outside the package`);
      yield { path, executable: (Number.parseInt(field(header, 100, 8), 8) & 0o111) !== 0, content };
    }
    if (type !== 'x') nextPath = null;
    at += blockSize + Math.ceil(size / blockSize) * blockSize;
  }
}
