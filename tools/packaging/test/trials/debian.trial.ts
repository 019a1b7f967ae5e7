/**
 * Installs and removes the Debian package with dpkg in a temporary overlay of the file system. systemd units must keep the state set by the
 * administrator. Requires root on Debian, because it mounts the overlay in a separate namespace.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { binaryFile, makeBinary } from '../../src/binary/make-binary.ts';
import { makeDebianPackage } from '../../src/debian/debian-package.ts';
import { makeNpmPackage } from '../../src/npm-package.ts';
import { temporaryFolder } from '../support.ts';
import { ownTarget } from '../../src/targets.ts';

/** Shell script that prints the enabled systemd units after each step. */
const steps = `
enabled() { echo "$1:" $(ls /etc/systemd/system/multi-user.target.wants 2>/dev/null | grep sluice); }
export DEBIAN_FRONTEND=noninteractive
set -e
dpkg -i "$1" >/dev/null 2>&1; enabled installed
systemctl disable sluice >/dev/null 2>&1; systemctl enable sluice-api >/dev/null 2>&1; enabled changed
dpkg -r sluice >/dev/null 2>&1
dpkg -i "$1" >/dev/null 2>&1; enabled "installed again"
dpkg -i "$1" >/dev/null 2>&1; enabled upgraded
dpkg -P sluice >/dev/null 2>&1; enabled purged
dpkg -i "$1" >/dev/null 2>&1; enabled "installed after purge"
`;

const mounts = `
set -e
mount -t tmpfs none "$1"; mkdir "$1/upper" "$1/work" "$1/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/root"
cp "$2" "$1/root/sluice.deb"; cp "$3" "$1/root/steps.sh"
exec chroot "$1/root" sh /steps.sh /sluice.deb
`;

describe('packaging: Debian package on a machine', function () {
  this.timeout(1_200_000);
  const home = temporaryFolder();
  const layers = temporaryFolder();
  after(() => {
    home.remove();
    layers.remove();
  });

  it('the Debian package keeps the enabled state of its units through removal, installation and upgrade, and drops this state on purge', async function () {
    const tools = ['dpkg-deb', 'deb-systemd-helper', 'systemctl', 'unshare'];
    const isRoot = process.getuid?.() === 0;
    if (!isRoot || tools.some((tool) => spawnSync('sh', ['-c', `command -v ${tool}`]).status !== 0)) this.skip();
    await makeNpmPackage();
    await makeBinary();
    const deb = makeDebianPackage(binaryFile, ownTarget(), home.folder);
    const [script, inside] = [join(home.folder, 'mounts.sh'), join(home.folder, 'steps.sh')];
    writeFileSync(script, mounts);
    writeFileSync(inside, steps);
    const namespace = ['--mount', '--propagation', 'private', 'sh', script, layers.folder, deb, inside];
    const env = { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin:/sbin` };
    const { status, stdout, stderr } = spawnSync('unshare', namespace, { encoding: 'utf8', env });
    expect(status, stderr).to.equal(0);
    expect(stdout.trim().split('\n')).to.deep.equal([
      'installed: sluice.service',
      'changed: sluice-api.service',
      'installed again: sluice-api.service',
      'upgraded: sluice-api.service',
      'purged:',
      'installed after purge: sluice.service',
    ]);
  });
});
