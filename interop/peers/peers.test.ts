import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { formatSeconds } from './build.ts';
import { isAtLeast } from './go.ts';
import { languageVersion, modulesAt, requiredVersion } from './go-mod.ts';
import {
  buildArguments,
  buildDigest,
  goVersionMin,
  moduleDir,
  peerDir,
  peers,
  peerVersion,
  releaseOf,
} from './peers.ts';

const go = { path: '/usr/bin/go', version: '1.26.8', platform: 'linux/amd64' };

for (const { name, folder, package: main } of peers) {
  test(`${name} has a version`, () => assert.match(peerVersion(name), /^v\d+\.\d+\.\d+$/));

  test(`${name} builds with the oldest Go we accept`, () => {
    const needed = languageVersion(goModOf(folder));
    assert.ok(needed !== undefined && isAtLeast(goVersionMin, needed), `${folder} needs ${needed}`);
  });

  test(`${name} is a tool of its module, which keeps its dependencies in go.sum`, () => {
    if (main !== '.') assert.match(goModOf(folder), new RegExp(`^(tool )?\\s*${main}$`, 'm'));
  });
}

test('the library modules are those of the Kubernetes release', () => {
  const goMod = goModOf('kubernetes');
  const replaced = [...goMod.matchAll(/=> (k8s\.io\/\S+) (\S+)/g)];
  assert.ok(replaced.length > 25);
  for (const [, module = '', version = ''] of replaced) {
    assert.equal(releaseOf(version), peerVersion('kube-apiserver'), module);
  }
});

test('the middle kubectl is from the middle of the supported range', () => {
  assert.match(peerVersion('kubectl-middle'), /^v1\.2[5-9]\./);
});

test('Kubernetes programs are told their version', () => {
  const flags = buildArguments('kube-apiserver').join(' ');
  assert.ok(flags.includes(`component-base/version.gitVersion=${peerVersion('kube-apiserver')}`));
});

test('a peer lives in a folder named after what made it', () => {
  const folder = peerDir('etcd', go, '/cache');
  assert.match(folder, /^\/cache\/peers\/etcd-v3\.\d+\.\d+-[0-9a-f]{12}$/);
  assert.notEqual(folder, peerDir('etcd', { ...go, version: '1.27.0' }, '/cache'));
  assert.notEqual(folder, peerDir('etcd', { ...go, platform: 'linux/arm64' }, '/cache'));
  assert.equal(folder, peerDir('etcd', { ...go, path: '/elsewhere/go' }, '/cache'));
});

test('the digest changes with every input and not with the order of files', () => {
  const a = { name: 'go.mod', content: 'a' };
  const b = { name: 'go.sum', content: 'b' };
  const digest = buildDigest({ files: [a, b], settings: ['x'] });
  assert.equal(digest, buildDigest({ files: [b, a], settings: ['x'] }));
  const others = [
    { files: [a], settings: ['x'] },
    { files: [a, { ...b, content: 'c' }], settings: ['x'] },
    { files: [a, { ...b, name: 'main.go' }], settings: ['x'] },
    { files: [a, b], settings: ['x', 'y'] },
  ];
  for (const other of others) assert.notEqual(buildDigest(other), digest);
});

test('the required version is read from a block, a line, and with a comment', () => {
  const goMod = 'module x\n\nrequire a.b/c v1.2.3\n\nrequire (\n\td.e/f v0.1.0 // indirect\n)\n';
  assert.equal(requiredVersion(goMod, 'a.b/c'), 'v1.2.3');
  assert.equal(requiredVersion(goMod, 'd.e/f'), 'v0.1.0');
  assert.equal(requiredVersion(goMod, 'g.h/i'), undefined);
});

test('the modules at a version are found', () => {
  assert.deepEqual(modulesAt('require (\n\ta v0.0.0\n\tb v1.0.0\n\tc v0.0.0\n)', 'v0.0.0'), [
    'a',
    'c',
  ]);
});

test('a replacement is not a requirement', () => {
  assert.equal(requiredVersion('replace a.b/c => a.b/c v9.9.9\n', 'a.b/c'), undefined);
});

const durations = [
  { seconds: 3.4, want: '3 s' },
  { seconds: 59.6, want: '1 min 0 s' },
  { seconds: 754, want: '12 min 34 s' },
];
for (const { seconds, want } of durations) {
  test(`${seconds} seconds read as ${want}`, () => assert.equal(formatSeconds(seconds), want));
}

function goModOf(folder: string): string {
  return readFileSync(join(moduleDir(folder), 'go.mod'), 'utf8');
}
