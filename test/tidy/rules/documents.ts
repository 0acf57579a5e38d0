import { posix } from 'node:path';
import { type Tree, workspaceFolders } from '../tree.ts';

export function readmes(tree: Tree): string[] {
  return workspaceFolders(tree)
    .map((folder) => `${folder}/README.md`)
    .filter((path) => tree.read(path).trim() === '')
    .map((path) => `${path} is missing or empty`);
}

export function changelog(tree: Tree): string[] {
  const text = tree.read('CHANGELOG.md');
  if (text.trim() === '') return ['CHANGELOG.md is missing or empty'];
  return /^## /m.test(text) ? [] : ['CHANGELOG.md has no entry: begin one with "## "'];
}

/** `server/src/verbs/get.ts`, or a folder in code quotes with a slash at its end. */
const DOCUMENTED_PATH = /(?<![\w@<>*/.-])(?:\.\.\/)*[\w.-]+(?:\/[\w.-]+)+\.(?:ts|mjs|js)\b(?!>)/g;

/** The architecture and the READMEs of packages name files by their path in the repository, in `packages/` or in the package. */
export function documentedPaths(tree: Tree): string[] {
  const documents = tree.files.filter(
    (path) => path === 'docs/architecture.md' || /^packages\/[\w-]+\/README\.md$/.test(path),
  );
  return documents.flatMap((document) => {
    const folder = posix.dirname(document);
    const bases = ['', 'packages', folder, `${folder}/src`];
    const paths = new Set(tree.read(document).match(DOCUMENTED_PATH));
    return [...paths]
      .filter((path) => !bases.some((base) => tree.has(posix.join(base, path))))
      .map((path) => `${document} names ${path}, which does not exist`);
  });
}

const ADR = /^docs\/adr\/(\d{4})-[a-z0-9]+(?:-[a-z0-9]+)*\.md$/;

export function adrNumbers(tree: Tree): string[] {
  const inFolder = tree.files.filter(
    (path) => path.startsWith('docs/adr/') && path !== 'docs/adr/README.md',
  );
  if (inFolder.length === 0) return ['docs/adr/ has no decisions'];
  const objections = inFolder
    .filter((path) => !ADR.test(path))
    .map((path) => `${path}: call it NNNN-title-in-kebab-case.md`);
  const numbered = inFolder.filter((path) => ADR.test(path));
  for (const [index, path] of numbered.entries()) {
    const want = String(index + 1).padStart(4, '0');
    const have = ADR.exec(path)?.[1];
    if (have !== want) return [...objections, `${path}: the next number is ${want}`];
  }
  return objections;
}

const CONSTRUCTORS = 'packages/apimachinery/src/errors/errors.ts';
const REFERENCE = 'docs/reference/errors.md';

/** Each constructor must be a heading or the first cell of a table row in the reference, as code. */
export function errorsReference(tree: Tree): string[] {
  const constructors = errorConstructors(tree.read(CONSTRUCTORS));
  if (constructors.length === 0) return [`${CONSTRUCTORS} has no exported constructors`];
  if (!tree.has(REFERENCE)) return [`${REFERENCE} is missing`];
  const listed = listedErrors(tree.read(REFERENCE));
  const exported = tree.read('packages/apimachinery/src/index.ts');
  return [
    ...constructors
      .filter((name) => !listed.includes(name))
      .map((name) => `${REFERENCE} does not list \`${name}\` as a heading or first cell of a row`),
    ...listed
      .filter((name) => !constructors.includes(name))
      .map((name) => `${REFERENCE} lists \`${name}\`, which ${CONSTRUCTORS} does not have`),
    ...constructors
      .filter((name) => !new RegExp(`\\b${name}\\b`).test(exported))
      .map((name) => `${name} is not exported from apimachinery's index.ts`),
  ];
}

function errorConstructors(source: string): string[] {
  const functions = source.split(/^(?=export )/m);
  return functions.flatMap((text) => {
    const name = /^export function (\w+)/.exec(text)?.[1];
    const signature = text.slice(0, text.search(/\{\n/));
    return name !== undefined && /\): StatusError\s*$/.test(signature) ? [name] : [];
  });
}

function listedErrors(reference: string): string[] {
  const entries = reference.matchAll(/^(?:#{2,6}\s+|\|\s*)`(\w+)(?:\([^`]*\))?`/gm);
  return [...entries].map((match) => match[1] ?? '');
}

export function verifyHasUpdate(tree: Tree): string[] {
  const { scripts = {} } = JSON.parse(tree.read('package.json') || '{}') as {
    scripts?: Record<string, string>;
  };
  return Object.keys(scripts)
    .filter((name) => name.startsWith('verify:'))
    .map((name) => ({ name, update: name.replace('verify:', 'update:') }))
    .filter(({ update }) => !Object.hasOwn(scripts, update))
    .map(({ name, update }) => `package.json has ${name} and no ${update}`);
}
