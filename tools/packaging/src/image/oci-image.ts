/**
 * Writes the container image as an OCI layout (https://github.com/opencontainers/image-spec) without a daemon. Builds are reproducible, so
 * the digest is known before the image is pushed with `skopeo copy oci-archive:FILE docker://NAME`.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { identity } from '../identity.ts';
import { run } from '../npm-files.ts';
import { workspaceRoot } from '../workspace.ts';
import { userId } from './image-root.ts';

/** The root file system of an image and its architecture. */
export interface Layer {
  readonly arch: 'x64' | 'arm64';
  /** Path of the uncompressed tar archive. */
  readonly archive: string;
}

interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

/** Packs the root file system. File owners, order and times do not depend on the build machine. */
export function packImageRoot(root: string, archive: string): void {
  // The image user owns the volumes, and root owns everything else.
  const options = [
    '--sort=name',
    '--mtime=@0',
    '--numeric-owner',
    '--format=posix',
    '--pax-option=delete=atime,delete=ctime',
  ];
  run('tar', [
    ...options,
    '--owner=0',
    '--group=0',
    '--exclude=./data',
    '--exclude=./config',
    '-cf',
    archive,
    '-C',
    root,
    '.',
  ]);
  const owner = [`--owner=${userId}`, `--group=${userId}`];
  run('tar', [...options, ...owner, '-rf', archive, '-C', root, './data', './config']);
}

/** Writes an image archive for one or more architectures. Returns the digest of the image index. */
export function writeImage(layers: readonly Layer[], file: string, version: string): string {
  const folder = `${file}.layout`;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'blobs/sha256'), { recursive: true });
  const blob = (mediaType: string, content: Buffer | string): Descriptor => {
    const digest = sha256(content);
    writeFileSync(join(folder, 'blobs/sha256', digest), content);
    return { mediaType, digest: `sha256:${digest}`, size: Buffer.byteLength(content) };
  };
  const json = (type: string, value: object): Descriptor =>
    blob(
      `application/vnd.oci.image.${type}+json`,
      JSON.stringify({ mediaType: `application/vnd.oci.image.${type}+json`, ...value }),
    );
  const { repository } = identity();
  const annotations = {
    'org.opencontainers.image.title': 'Sluice',
    'org.opencontainers.image.version': version,
    'org.opencontainers.image.licenses': 'Apache-2.0',
    ...(repository === null ? {} : { 'org.opencontainers.image.source': repository }),
  };
  const manifests = layers.map(({ arch, archive }) => {
    const architecture = arch === 'x64' ? 'amd64' : 'arm64';
    const tar = readFileSync(archive);
    const layer = blob('application/vnd.oci.image.layer.v1.tar+gzip', gzipSync(tar, { level: 6 }));
    const config = blob(
      'application/vnd.oci.image.config.v1+json',
      JSON.stringify({
        architecture,
        os: 'linux',
        config: { ...settings(), Labels: annotations },
        rootfs: { type: 'layers', diff_ids: [`sha256:${sha256(tar)}`] },
      }),
    );
    return {
      ...json('manifest.v1', { schemaVersion: 2, config, layers: [layer], annotations }),
      platform: { architecture, os: 'linux' },
    };
  });
  const index = json('index.v1', { schemaVersion: 2, manifests, annotations });
  const named = { ...index, annotations: { 'org.opencontainers.image.ref.name': version } };
  writeFileSync(join(folder, 'index.json'), JSON.stringify({ schemaVersion: 2, manifests: [named] }));
  writeFileSync(join(folder, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));
  run('tar', [
    '--sort=name',
    '--mtime=@0',
    '--owner=0',
    '--group=0',
    '-cf',
    file,
    '-C',
    folder,
    'oci-layout',
    'index.json',
    'blobs',
  ]);
  rmSync(folder, { recursive: true });
  return index.digest;
}

/** Reads the container settings from the Dockerfile, so that both kinds of image have the same settings. */
function settings(): object {
  const text = readFileSync(join(workspaceRoot, 'tools/packaging/docker/Dockerfile'), 'utf8');
  const stage = text.slice(text.indexOf('FROM scratch\n'));
  const value = (word: string): string => new RegExp(`^${word} (.*)$`, 'm').exec(stage)?.[1] ?? '';
  const list = (word: string): string[] => JSON.parse(value(word)) as string[];
  const ports = value('EXPOSE').split(' ');
  const [, interval, timeout, start, command = '[]'] =
    /^HEALTHCHECK --interval=(\d+)s --timeout=(\d+)s --start-period=(\d+)s CMD (.*)$/m.exec(stage) ?? [];
  const nanoseconds = (seconds: string | undefined): number => Number(seconds) * 1e9;
  return {
    User: value('USER'),
    WorkingDir: value('WORKDIR'),
    Env: value('ENV').split(' '),
    Entrypoint: list('ENTRYPOINT'),
    Cmd: list('CMD'),
    StopSignal: value('STOPSIGNAL'),
    Volumes: Object.fromEntries(list('VOLUME').map((name) => [name, {}])),
    ExposedPorts: Object.fromEntries(ports.map((port) => [`${port}/tcp`, {}])),
    Healthcheck: {
      Test: ['CMD', ...(JSON.parse(command) as string[])],
      Interval: nanoseconds(interval),
      Timeout: nanoseconds(timeout),
      StartPeriod: nanoseconds(start),
    },
  };
}

function sha256(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('hex');
}
