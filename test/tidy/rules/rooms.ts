/** The rooms of a package: its README lists them in import order, and imports follow that order. */
import { posix } from 'node:path';
import { importsOf } from '../source.ts';
import { type Tree, workspaceFolders } from '../tree.ts';

/** A room imports only itself and rooms drawn above it; `src` itself holds rooms and entry points, nothing else. */
export function rooms(tree: Tree): string[] {
  return workspaceFolders(tree).flatMap((folder) => checkRooms(tree, folder));
}

function checkRooms(tree: Tree, folder: string): string[] {
  const files = sourcesOf(tree, folder);
  const present = new Set(files.flatMap((path) => roomOf(path, folder) ?? []));
  if (present.size < 2) return [];
  const readme = `${folder}/README.md`;
  const drawn = drawnRooms(tree.read(readme));
  if (drawn.length === 0) return [`${readme} does not draw the rooms of ${folder}/src`];
  return [
    ...[...present]
      .filter((room) => !drawn.includes(room))
      .map((room) => `${folder}/src/${room} is not among the rooms that ${readme} draws`),
    ...drawn
      .filter((room) => !present.has(room))
      .map((room) => `${readme} draws the room ${room}/, which is not in ${folder}/src`),
    ...looseFiles(tree, folder, files),
    ...files.flatMap((path) => upwardImports(tree, { path, folder, drawn })),
  ];
}

/** The first block of the README with lines such as `request/   the pipeline of a request`. */
function drawnRooms(readme: string): string[] {
  for (const [, block = ''] of readme.matchAll(/^```\w*\n(.*?)^```/gms)) {
    const names = [...block.matchAll(/^([\w-]+)\/ /gm)].map(([, name = '']) => name);
    if (names.length > 1) return names;
  }
  return [];
}

/** Entry points that package.json names may stand beside `index.ts`, and programs that a launcher starts. */
function looseFiles(tree: Tree, folder: string, files: readonly string[]): string[] {
  const entries = tree.read(`${folder}/package.json`);
  const launchers = tree.files.filter((path) => path.startsWith(`${folder}/bin/`));
  return files
    .filter((path) => roomOf(path, folder) === undefined && posix.basename(path) !== 'index.ts')
    .filter((path) => {
      const local = path.slice(folder.length + 1);
      return !entries.includes(local) && !launchers.some((bin) => tree.read(bin).includes(local));
    })
    .map((path) => `${path} stands outside of the rooms`);
}

function upwardImports(
  tree: Tree,
  { path, folder, drawn }: { path: string; folder: string; drawn: readonly string[] },
): string[] {
  const from = roomOf(path, folder);
  if (from === undefined) return [];
  return localImports(tree, path).flatMap((target) => {
    if (!target.startsWith(`${folder}/src/`)) return [];
    const to = roomOf(target, folder);
    if (to === undefined) return [`${path} imports ${target}, an entry point`];
    if (drawn.indexOf(to) <= drawn.indexOf(from)) return [];
    return [`${path} imports ${target}: the room ${to} is drawn below ${from}`];
  });
}

/** Modules of a package import each other in one direction, types included. */
export function importCycles(tree: Tree): string[] {
  return workspaceFolders(tree).flatMap((folder) => {
    const files = sourcesOf(tree, folder);
    return cyclesOf(new Map(files.map((path) => [path, localImports(tree, path)]))).map(
      (cycle) => `${folder}: modules import each other in a circle: ${cycle.join(', ')}`,
    );
  });
}

/** Every module that is part of a cycle. */
export function importCycleModules(tree: Tree, folder: string): string[] {
  const files = sourcesOf(tree, folder);
  return cyclesOf(new Map(files.map((path) => [path, localImports(tree, path)]))).flat();
}

/** The import specifiers of each module of a package. */
export function moduleImports(tree: Tree, folder: string): ReadonlyMap<string, readonly string[]> {
  return new Map(sourcesOf(tree, folder).map((path) => [path, importsOf(tree.read(path))]));
}

/** Strongly connected components of more than one module (Tarjan). */
function cyclesOf(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const onStack = new Set<string>();
  const cycles: string[][] = [];
  const visit = (node: string): void => {
    index.set(node, index.size);
    low.set(node, index.get(node) ?? 0);
    stack.push(node);
    onStack.add(node);
    for (const next of graph.get(node) ?? []) {
      if (!graph.has(next)) continue;
      if (!index.has(next)) visit(next);
      if (onStack.has(next)) low.set(node, Math.min(low.get(node) ?? 0, low.get(next) ?? 0));
    }
    if (low.get(node) !== index.get(node)) return;
    const component = stack.splice(stack.indexOf(node));
    for (const one of component) onStack.delete(one);
    if (component.length > 1 || graph.get(node)?.includes(node)) cycles.push(component.toSorted());
  };
  for (const node of graph.keys()) if (!index.has(node)) visit(node);
  return cycles;
}

function sourcesOf(tree: Tree, folder: string): string[] {
  return tree.files.filter(
    (path) =>
      path.startsWith(`${folder}/src/`) && path.endsWith('.ts') && !/\.test\.ts$/.test(path),
  );
}

function localImports(tree: Tree, path: string): string[] {
  return importsOf(tree.read(path))
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => posix.normalize(posix.join(posix.dirname(path), specifier)));
}

/** `auth` for `packages/server/src/auth/union.ts`; undefined for a file at the top. */
export function roomOf(path: string, folder: string): string | undefined {
  const parts = path.slice(`${folder}/src/`.length).split('/');
  return parts.length > 1 ? parts[0] : undefined;
}
