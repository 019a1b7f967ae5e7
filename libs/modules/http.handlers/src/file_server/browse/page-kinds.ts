/** File categories by extension. Each category has an icon in listings. */

/** File extensions by category. Files with other extensions have no category. */
export const extensionsOf: Readonly<Record<string, readonly string[]>> = {
  picture: ['.avif', '.bmp', '.gif', '.ico', '.jpg', '.jpeg', '.png', '.svg', '.webp'],
  film: ['.avi', '.mkv', '.mov', '.mp4', '.mpeg', '.ogv', '.webm'],
  sound: ['.aac', '.flac', '.m4a', '.mp3', '.oga', '.ogg', '.opus', '.wav'],
  archive: ['.7z', '.br', '.bz2', '.deb', '.gz', '.iso', '.jar', '.rar', '.rpm', '.tar', '.tgz', '.xz', '.zip', '.zst'],
  text: ['.doc', '.docx', '.epub', '.log', '.md', '.odt', '.pdf', '.rtf', '.txt'],
  table: ['.csv', '.ods', '.sqlite', '.tsv', '.xls', '.xlsx'],
  code: [
    '.c',
    '.css',
    '.go',
    '.html',
    '.js',
    '.json',
    '.mjs',
    '.php',
    '.py',
    '.rs',
    '.sh',
    '.toml',
    '.ts',
    '.xml',
    '.yaml',
    '.yml',
  ],
};

const kinds: ReadonlyMap<string, string> = new Map(
  Object.entries(extensionsOf).flatMap(([kind, extensions]) => extensions.map((extension) => [extension, kind])),
);

/** Returns the category of a file based on its name. */
export function kindOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return (dot < 0 ? undefined : kinds.get(name.slice(dot).toLowerCase())) ?? 'file';
}
