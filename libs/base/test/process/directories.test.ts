import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { configDirectory, dataDirectory, type Environment } from '@sluice/base';

type Case = readonly [platform: string, environment: Environment, config: string, data: string];

const cases: readonly Case[] = [
  ['linux', { HOME: '/home/a' }, '/home/a/.config/sluice', '/home/a/.local/share/sluice'],
  ['linux', { HOME: '/home/a', XDG_CONFIG_HOME: '/c', XDG_DATA_HOME: '/d' }, '/c/sluice', '/d/sluice'],
  ['linux', { HOME: '/home/a', XDG_CONFIG_HOME: '' }, '/home/a/.config/sluice', '/home/a/.local/share/sluice'],
  ['linux', {}, join(homedir(), '.config/sluice'), join(homedir(), '.local/share/sluice')],
  [
    'darwin',
    { HOME: '/Users/a' },
    '/Users/a/Library/Application Support/sluice',
    '/Users/a/Library/Application Support/sluice',
  ],
  ['darwin', { HOME: '/Users/a', XDG_DATA_HOME: '/d' }, '/Users/a/Library/Application Support/sluice', '/d/sluice'],
  ['win32', { AppData: '/AppData' }, '/AppData/sluice', '/AppData/sluice'],
];

describe('configDirectory and dataDirectory', () => {
  for (const [platform, environment, config, data] of cases) {
    it(`configDirectory and dataDirectory are ${config} and ${data} on ${platform} with ${JSON.stringify(environment)}`, () => {
      expect(configDirectory(environment, platform)).to.equal(config);
      expect(dataDirectory(environment, platform)).to.equal(data);
    });
  }
});
