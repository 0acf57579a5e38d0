import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requireGo } from './build.ts';
import { modulesAt } from './go-mod.ts';
import { buildEnvironment, goVersionMin, moduleDir, peerVersion } from './peers.ts';

/** The modules beside this file, and how each one's go.mod begins before `go mod tidy` completes it. */
const moduleFiles = {
  kubernetes: (version: string) => kubernetesGoMod(version, upstreamGoMod(version)),
  etcd: (version: string) => etcdGoMod(version),
  'kubectl-middle': (version: string) => kubectlGoMod(version),
  'informer-checker': (version: string) => informerCheckerGoMod(version),
  'client-exerciser': (version: string) => clientExerciserGoMod(version),
  'type-reflector': (version: string) => typeReflectorGoMod(version),
  'spdy-echo': (version: string) => spdyEchoGoMod(version),
  'cel-evaluator': (version: string) => celEvaluatorGoMod(version),
  e2e: (version: string) => e2eGoMod(version, upstreamGoMod(version)),
  helm: (version: string) => helmGoMod(version, peerVersion('kubectl')),
} as const satisfies Readonly<Record<string, (version: string) => string>>;

export type ModuleName = keyof typeof moduleFiles;

export function isModuleName(name: string): name is ModuleName {
  return Object.hasOwn(moduleFiles, name);
}

/** Writes a module anew for a release, so that no requirement of an older release stays behind. */
export function pinModule(name: ModuleName, version: string): void {
  const goMod = moduleFiles[name](version);
  writeFileSync(join(moduleDir(name), 'go.mod'), goMod);
  rmSync(join(moduleDir(name), 'go.sum'), { force: true });
  go(['mod', 'tidy'], moduleDir(name), 'inherit');
}

/** Modules that follow the release of Kubernetes; `kubernetes` first, because helm takes its libraries from it. */
const releaseModules: readonly ModuleName[] = [
  'kubernetes',
  'informer-checker',
  'client-exerciser',
  'type-reflector',
  'spdy-echo',
  'cel-evaluator',
  'e2e',
];

/** Moves every peer to one release of Kubernetes. helm keeps its own version and takes the libraries of the release. */
export function pinRelease(version: string): void {
  const helmVersion = peerVersion('helm');
  for (const name of releaseModules) pinModule(name, version);
  pinModule('helm', helmVersion);
}

/**
 * Inside its own repository Kubernetes takes its library modules from a folder, so its go.mod
 * requires them as v0.0.0, which no registry has. The published ones of the same release stand in.
 */
export function kubernetesGoMod(version: string, upstream: string): string {
  return `module tributary.invalid/peers/kubernetes

go ${goVersionMin}.0

tool (
	k8s.io/kubernetes/cmd/kube-apiserver
	k8s.io/kubernetes/cmd/kube-controller-manager
	k8s.io/kubernetes/cmd/kubectl
	k8s.io/sample-apiserver
)

require (
	k8s.io/kubernetes ${version}
	k8s.io/sample-apiserver ${libraryVersion(version)}
)

${publishedLibraries(version, upstream)}`;
}

/** The tests of the same module, which are no package of it that a tool could be. */
export function e2eGoMod(version: string, upstream: string): string {
  return `module tributary.invalid/peers/e2e

go ${goVersionMin}.0

require k8s.io/kubernetes ${version}

${publishedLibraries(version, upstream)}`;
}

function publishedLibraries(version: string, upstream: string): string {
  const library = libraryVersion(version);
  return `replace (
${modulesAt(upstream, 'v0.0.0')
  .map((module) => `\t${module} => ${module} ${library}\n`)
  .join('')})
`;
}

export function etcdGoMod(version: string): string {
  return `module tributary.invalid/peers/etcd

go ${goVersionMin}.0

tool go.etcd.io/etcd/server/v3

require go.etcd.io/etcd/server/v3 ${version}
`;
}

export function kubectlGoMod(version: string): string {
  const library = libraryVersion(version);
  return `module tributary.invalid/peers/kubectl-middle

go ${goVersionMin}.0

require (
	k8s.io/client-go ${library}
	k8s.io/component-base ${library}
	k8s.io/kubectl ${library}
)
`;
}

export function informerCheckerGoMod(version: string): string {
  const library = libraryVersion(version);
  return `module tributary.invalid/peers/informer-checker

go ${goVersionMin}.0

require (
	k8s.io/apimachinery ${library}
	k8s.io/client-go ${library}
)
`;
}

export function clientExerciserGoMod(version: string): string {
  const library = libraryVersion(version);
  return `module tributary.invalid/peers/client-exerciser

go ${goVersionMin}.0

require (
	k8s.io/api ${library}
	k8s.io/apimachinery ${library}
	k8s.io/client-go ${library}
)
`;
}

/** The libraries of a client suffice for both ends. */
export function spdyEchoGoMod(version: string): string {
  return informerCheckerGoMod(version).replace('peers/informer-checker', 'peers/spdy-echo');
}

export function typeReflectorGoMod(version: string): string {
  const library = libraryVersion(version);
  return `module tributary.invalid/peers/type-reflector

go ${goVersionMin}.0

require (
	k8s.io/api ${library}
	k8s.io/apiextensions-apiserver ${library}
	k8s.io/apimachinery ${library}
	k8s.io/kube-aggregator ${library}
)
`;
}

export function celEvaluatorGoMod(version: string): string {
  const library = libraryVersion(version);
  return `module tributary.invalid/peers/cel-evaluator

go ${goVersionMin}.0

require (
	k8s.io/apiextensions-apiserver ${library}
	k8s.io/apimachinery ${library}
	k8s.io/apiserver ${library}
)
`;
}

/** Helm takes any libraries of its minor release; with those of the servers it finds them compiled. */
export function helmGoMod(version: string, kubernetes: string): string {
  const library = libraryVersion(kubernetes);
  return `module tributary.invalid/peers/helm

go ${goVersionMin}.0

tool helm.sh/helm/v3/cmd/helm

require (
	helm.sh/helm/v3 ${version}
	k8s.io/api ${library}
	k8s.io/apiextensions-apiserver ${library}
	k8s.io/apimachinery ${library}
	k8s.io/apiserver ${library}
	k8s.io/cli-runtime ${library}
	k8s.io/client-go ${library}
	k8s.io/kubectl ${library}
)
`;
}

function libraryVersion(release: string): string {
  return release.replace(/^v1\./, 'v0.');
}

function upstreamGoMod(version: string): string {
  // Outside the module, whose own requirements may be the broken thing that is being replaced.
  const response = go(['mod', 'download', '-json', `k8s.io/kubernetes@${version}`], '/', 'pipe');
  const parsed: unknown = JSON.parse(response);
  if (typeof parsed !== 'object' || parsed === null || !('GoMod' in parsed)) {
    throw new Error(`go mod download gave no go.mod for ${version}`);
  }
  return readFileSync(String(parsed.GoMod), 'utf8');
}

function go(args: readonly string[], cwd: string, stdout: 'inherit' | 'pipe'): string {
  const output = execFileSync(requireGo().path, args, {
    cwd,
    env: { ...process.env, ...buildEnvironment },
    stdio: ['ignore', stdout, 'inherit'],
    encoding: 'utf8',
  });
  return output ?? '';
}
