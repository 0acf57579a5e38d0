/**
 * Draws the imports of the repository as Mermaid: packages, and the rooms of each package, with how many imports stand behind an
 * arrow. `npm run import-graph -- [PACKAGE]` draws one package; `--summary` prints only the table of figures.
 */
import { join, posix } from 'node:path';
import { importCycleModules, moduleImports, roomOf } from '../test/tidy/rules/rooms.ts';
import { packageOf } from '../test/tidy/source.ts';
import { repositoryTree, type Tree, workspaceFolders } from '../test/tidy/tree.ts';

type Arrows = Map<string, number>;

function count(arrows: Arrows, from: string, to: string): void {
  if (from === to) return;
  const arrow = `${from} ${to}`;
  arrows.set(arrow, (arrows.get(arrow) ?? 0) + 1);
}

function packageArrows(tree: Tree): Arrows {
  const arrows: Arrows = new Map();
  for (const folder of workspaceFolders(tree)) {
    for (const specifiers of moduleImports(tree, folder).values()) {
      for (const specifier of specifiers) {
        const name = packageOf(specifier);
        if (name?.startsWith('@tributary/'))
          count(arrows, posix.basename(folder), posix.basename(name));
      }
    }
  }
  return arrows;
}

function roomArrows(tree: Tree, folder: string): Arrows {
  const arrows: Arrows = new Map();
  for (const [path, specifiers] of moduleImports(tree, folder)) {
    for (const specifier of specifiers.filter((one) => one.startsWith('.'))) {
      const target = posix.normalize(posix.join(posix.dirname(path), specifier));
      count(arrows, roomOf(path, folder) ?? 'src', roomOf(target, folder) ?? 'src');
    }
  }
  return arrows;
}

function mermaid(arrows: Arrows): string {
  const lines = [...arrows].map(([arrow, imports]) => {
    const [from, to] = arrow.split(' ');
    return `  ${from} -->|${imports}| ${to}`;
  });
  return ['```mermaid', 'flowchart TD', ...lines.sort(), '```'].join('\n');
}

function summaryRow(tree: Tree, folder: string): string {
  const modules = moduleImports(tree, folder);
  const imports = [...modules.values()].flat().filter((one) => one.startsWith('.')).length;
  const top = new Set(
    tree.files
      .filter((path) => path.startsWith(`${folder}/src/`) && !path.endsWith('.test.ts'))
      .map((path) => path.slice(`${folder}/src/`.length).split('/')[0]),
  );
  const inCycles = importCycleModules(tree, folder).length;
  return `| ${posix.basename(folder)} | ${modules.size} | ${imports} | ${inCycles} | ${top.size} |`;
}

const tree = repositoryTree(join(import.meta.dirname, '..'));
const args = process.argv.slice(2);
const named = args.find((arg) => !arg.startsWith('-'));
const folders = workspaceFolders(tree).filter(
  (folder) => named === undefined || posix.basename(folder) === named,
);
if (folders.length === 0) {
  process.stderr.write(`there is no package ${named}\n`);
  process.exit(1);
}
const sections = [
  '| Package | Modules | Imports | Modules in cycles | Entries at the top of src |',
  '| --- | --- | --- | --- | --- |',
  ...folders.map((folder) => summaryRow(tree, folder)),
];
if (!args.includes('--summary')) {
  if (named === undefined) sections.push('', '## Packages', '', mermaid(packageArrows(tree)));
  for (const folder of folders) {
    sections.push(
      '',
      `## Rooms of ${posix.basename(folder)}`,
      '',
      mermaid(roomArrows(tree, folder)),
    );
  }
}
process.stdout.write(`${sections.join('\n')}\n`);
