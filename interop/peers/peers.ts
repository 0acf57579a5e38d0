import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDir } from './cache.ts';
import { findGo, type Go } from './go.ts';
import { requiredVersion } from './go-mod.ts';

export type PeerName =
  | 'etcd'
  | 'sample-apiserver'
  | 'kubectl'
  | 'kube-apiserver'
  | 'kube-controller-manager'
  | 'kubectl-middle'
  | 'informer-checker'
  | 'client-exerciser'
  | 'type-reflector'
  | 'spdy-echo'
  | 'cel-evaluator'
  | 'e2e'
  | 'helm';

export interface Peer {
  name: PeerName;
  /** The folder beside this file that holds the go.mod. */
  folder: string;
  /** The main package to build. */
  package: string;
  /** The module whose required version is the version of the peer. */
  pin: string;
  /** Kubernetes programs learn their version from the linker; etcd has it in its source. */
  stamped: boolean;
  /** The program is the tests of the package. */
  isTest?: boolean;
}

/** In build order: each one finds more of its packages compiled by those before it. */
export const peers: readonly Peer[] = [
  {
    name: 'etcd',
    folder: 'etcd',
    package: 'go.etcd.io/etcd/server/v3',
    pin: 'go.etcd.io/etcd/server/v3',
    stamped: false,
  },
  {
    name: 'sample-apiserver',
    folder: 'kubernetes',
    package: 'k8s.io/sample-apiserver',
    pin: 'k8s.io/kubernetes',
    stamped: true,
  },
  {
    name: 'kubectl',
    folder: 'kubernetes',
    package: 'k8s.io/kubernetes/cmd/kubectl',
    pin: 'k8s.io/kubernetes',
    stamped: true,
  },
  {
    name: 'kube-apiserver',
    folder: 'kubernetes',
    package: 'k8s.io/kubernetes/cmd/kube-apiserver',
    pin: 'k8s.io/kubernetes',
    stamped: true,
  },
  {
    name: 'kube-controller-manager',
    folder: 'kubernetes',
    package: 'k8s.io/kubernetes/cmd/kube-controller-manager',
    pin: 'k8s.io/kubernetes',
    stamped: true,
  },
  {
    name: 'kubectl-middle',
    folder: 'kubectl-middle',
    package: '.',
    pin: 'k8s.io/kubectl',
    stamped: true,
  },
  // A program of ours, with the client library of the same release as the servers.
  {
    name: 'informer-checker',
    folder: 'informer-checker',
    package: '.',
    pin: 'k8s.io/client-go',
    stamped: true,
  },
  // The typed and the dynamic client of that library, which do what programs do with them.
  {
    name: 'client-exerciser',
    folder: 'client-exerciser',
    package: '.',
    pin: 'k8s.io/client-go',
    stamped: true,
  },
  // Another one, which tells what the types of the built-in kinds are in Go.
  {
    name: 'type-reflector',
    folder: 'type-reflector',
    package: '.',
    pin: 'k8s.io/api',
    stamped: false,
  },
  // And both ends of a conversation over SPDY.
  {
    name: 'spdy-echo',
    folder: 'spdy-echo',
    package: '.',
    pin: 'k8s.io/client-go',
    stamped: false,
  },
  // Evaluates expressions with Kubernetes' own CEL.
  {
    name: 'cel-evaluator',
    folder: 'cel-evaluator',
    package: '.',
    pin: 'k8s.io/apiserver',
    stamped: false,
  },
  // Kubernetes' own end-to-end suite.
  {
    name: 'e2e',
    folder: 'e2e',
    package: '.',
    pin: 'k8s.io/kubernetes',
    stamped: true,
    isTest: true,
  },
  // Helm with the libraries of the same release as the servers.
  {
    name: 'helm',
    folder: 'helm',
    package: 'helm.sh/helm/v3/cmd/helm',
    pin: 'helm.sh/helm/v3',
    stamped: false,
  },
];

/** The oldest Go that builds every peer. */
export const goVersionMin = '1.26';

export function isPeerName(name: string): name is PeerName {
  return peers.some((peer) => peer.name === name);
}

export function peer(name: PeerName): Peer {
  const found = peers.find((candidate) => candidate.name === name);
  if (found === undefined) throw new Error(`no peer is called ${name}`);
  return found;
}

/** The release of a peer, as in `v1.36.3`. */
export function peerVersion(name: PeerName): string {
  const { folder, pin } = peer(name);
  const version = requiredVersion(readFileSync(join(moduleDir(folder), 'go.mod'), 'utf8'), pin);
  if (version === undefined) throw new Error(`${folder}/go.mod does not require ${pin}`);
  return releaseOf(version);
}

/** Kubernetes publishes the library modules of release 1.x.y as v0.x.y. */
export function releaseOf(moduleVersion: string): string {
  return moduleVersion.replace(/^v0\./, 'v1.');
}

export function moduleDir(folder: string): string {
  return join(import.meta.dirname, folder);
}

/** Arguments of `go` that build a peer; those that decide nothing about its bytes are passed in. */
export function buildArguments(name: PeerName, others: readonly string[] = []): string[] {
  const { package: main, stamped, isTest } = peer(name);
  const linker = ['-s', '-w', ...(stamped ? stamps(peerVersion(name)) : [])];
  // -buildvcs=false: the commit of this repository says nothing about a peer, and would change its bytes.
  const flags = ['-mod=readonly', '-trimpath', '-buildvcs=false', `-ldflags=${linker.join(' ')}`];
  return [...(isTest ? ['test', '-c'] : ['build']), ...others, ...flags, main];
}

/** Arguments of `go` that fetch the modules which the program needs, and no others. */
export function fetchArguments(name: PeerName): string[] {
  const { package: main, isTest } = peer(name);
  return ['list', '-mod=readonly', '-deps', ...(isTest ? ['-test'] : []), main];
}

/** Environment of every build: static programs, the pinned modules and nothing else. */
export const buildEnvironment: Readonly<Record<string, string>> = {
  CGO_ENABLED: '0',
  GOTOOLCHAIN: 'local',
  GOWORK: 'off',
};

/** The folder a peer is built into: a changed pin, flag or compiler is another folder. */
export function peerDir(name: PeerName, go: Go, cache: string = cacheDir()): string {
  const digest = buildDigest({
    files: moduleFiles(moduleDir(peer(name).folder)),
    settings: [
      ...buildArguments(name),
      ...Object.entries(buildEnvironment).map(([key, value]) => `${key}=${value}`),
      go.version,
      go.platform,
    ],
  });
  return join(cache, 'peers', `${name}-${peerVersion(name)}-${digest}`);
}

/** The built program, or nothing when this machine has not built it yet. */
export function peerPath(name: PeerName): string | undefined {
  const go = findGo();
  if (go === undefined) return undefined;
  const file = join(peerDir(name, go), name);
  return existsSync(file) ? file : undefined;
}

/** The built program, or an error that says how to get it. */
export function requirePeer(name: PeerName): string {
  const file = peerPath(name);
  if (file !== undefined) return file;
  const why =
    findGo() === undefined ? `needs Go ${goVersionMin} or newer on the path` : 'not built';
  throw new Error(`${name} ${peerVersion(name)}: ${why}; run: npm run peers`);
}

export interface BuildInputs {
  files: readonly { name: string; content: string }[];
  settings: readonly string[];
}

/** Twelve hex digits over everything that decides the bytes of a program. */
export function buildDigest({ files, settings }: BuildInputs): string {
  const sorted = files.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  // JSON keeps the borders between the parts, which plain concatenation would lose.
  const text = JSON.stringify([sorted.map(({ name, content }) => [name, content]), settings]);
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

function moduleFiles(folder: string): BuildInputs['files'] {
  return readdirSync(folder)
    .filter((name) => name === 'go.mod' || name === 'go.sum' || name.endsWith('.go'))
    .map((name) => ({ name, content: readFileSync(join(folder, name), 'utf8') }));
}

function stamps(version: string): string[] {
  const [major = '', minor = ''] = version.slice(1).split('.');
  const values = {
    gitVersion: version,
    gitMajor: major,
    gitMinor: minor,
    gitTreeState: 'clean',
    gitCommit: 'unknown', // Modules do not carry it.
  };
  return ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version'].flatMap((target) =>
    Object.entries(values).flatMap(([key, value]) => ['-X', `${target}.${key}=${value}`]),
  );
}
