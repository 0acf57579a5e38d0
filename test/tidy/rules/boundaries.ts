/**
 * The allowed dependencies of packages: apimachinery ← storage, client ← server ← aggregator, core-server ← cli.
 */
import { posix } from 'node:path';
import { importsOf, packageOf } from '../source.ts';
import { type Tree, workspaceFolders } from '../tree.ts';

const base = ['apimachinery'];
const below = [...base, 'storage', 'client'];
const servers = ['aggregator', 'cache-proxy', 'core-server'];
const engines = ['storage-sqlite', 'storage-etcd', 'storage-postgres'];
const engine = [...base, 'storage'];

/** All packages that each package may import. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  apimachinery: [],
  storage: base,
  cel: base,
  client: base,
  // A program loads it by the scheme of --storage; the library never names one.
  'storage-sqlite': engine,
  'storage-etcd': engine,
  'storage-postgres': engine,
  server: [...below, 'cel'],
  // The one reverse proxy: of the aggregator and of proxy subresources.
  proxy: [...base, 'client', 'server'],
  api: [...base, 'server'],
  // It runs in a control plane and in front of any cluster; `cli` joins it with the control plane.
  aggregator: [...below, 'server', 'proxy', 'api'],
  // Explains what the aggregator does, so it reads registrations and Services with the aggregator's own code.
  doctor: [...base, 'client', 'proxy', 'api', 'aggregator'],
  'cache-proxy': [...below, 'server', 'proxy'],
  'core-server': [...below, 'server', 'proxy', 'api'],
  // It checks Go servers by the same rules as ours, so it knows nothing of ours.
  conformance: [...base, 'client'],
  cli: [
    ...below,
    'server',
    'proxy',
    'api',
    ...servers,
    ...engines,
    'doctor',
    'conformance',
    'sample-wardle',
  ],
};
/** Samples are programs of users who install our packages. */
const allowedForSamples = [...below, 'server', ...engines];

export function boundaries(tree: Tree): string[] {
  const folders = workspaceFolders(tree);
  if (folders.length === 0) return ['there are no packages'];
  return folders.flatMap((folder) => checkFolder(tree, folder));
}

function checkFolder(tree: Tree, folder: string): string[] {
  const name = posix.basename(folder);
  const permitted = folder.startsWith('samples/') ? allowedForSamples : allowed[name];
  if (permitted === undefined) {
    return [`${folder} is unknown: say in test/tidy/rules/boundaries.ts what it may import`];
  }
  const dependencies = dependenciesOf(tree, folder);
  const wrongDependencies = dependencies
    .filter((dependency) => dependency.startsWith('@tributary/'))
    .map((dependency) => dependency.slice('@tributary/'.length))
    .filter((dependency) => !permitted.includes(dependency))
    .map((dependency) => `${folder}/package.json: ${name} must not depend on ${dependency}`);
  const sources = tree.files.filter((path) => path.startsWith(`${folder}/src/`));
  return [
    ...wrongDependencies,
    ...sources
      .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
      .flatMap((path) => checkImports(tree, { path, folder, dependencies })),
  ];
}

function dependenciesOf(tree: Tree, folder: string): string[] {
  const manifest = JSON.parse(tree.read(`${folder}/package.json`)) as Record<string, object>;
  return ['dependencies', 'optionalDependencies', 'peerDependencies'].flatMap((kind) =>
    Object.keys(manifest[kind] ?? {}),
  );
}

/** Tests may use the harness and the repository's tools; packages may use the dependencies of their package.json. */
function checkImports(
  tree: Tree,
  { path, folder, dependencies }: { path: string; folder: string; dependencies: readonly string[] },
): string[] {
  const objections: string[] = [];
  for (const specifier of importsOf(tree.read(path))) {
    if (specifier.startsWith('.')) {
      const target = posix.normalize(posix.join(posix.dirname(path), specifier));
      if (!target.startsWith(`${folder}/`)) {
        objections.push(`${path} imports ${specifier}, which is outside of its package`);
      }
      continue;
    }
    const name = packageOf(specifier);
    if (name !== undefined && !dependencies.includes(name)) {
      objections.push(`${path} imports ${name}, which ${folder}/package.json does not name`);
    }
  }
  return objections;
}
