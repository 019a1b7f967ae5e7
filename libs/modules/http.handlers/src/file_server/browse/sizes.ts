const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];

/** Formats a size with a binary unit: `9 B`, `1.5 KiB`, `12 MiB`. Values below 10 have one decimal place, unless the unit is bytes. */
export function humanSize(bytes: number): string {
  if (bytes < 10) return `${bytes} B`;
  const exponent = Math.min(Math.floor(Math.log(bytes) / Math.log(1024)), units.length - 1);
  const value = Math.floor((bytes / 1024 ** exponent) * 10 + 0.5) / 10;
  return `${value < 10 ? value.toFixed(1) : value.toFixed(0)} ${units[exponent]}`;
}
