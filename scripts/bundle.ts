/** Programs as few files: a start that reads hundreds of modules spends most of its time on them. */
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import { SOURCE_CONDITION } from '../packages/server/launcher.js';

interface BundledProgram {
  /** The package whose launcher starts it; the files go into its `bundle/`. */
  readonly folder: string;
  readonly main: string;
  /** Files of their own, by name: entries of threads, and what is loaded when it is first needed. */
  readonly apart: Readonly<Record<string, string>>;
}

/** The name of the file that CEL is in. */
const CEL = 'cel';

const programs: readonly BundledProgram[] = [
  {
    folder: 'packages/cli',
    main: 'packages/cli/src/main.ts',
    apart: {
      [CEL]: 'packages/cel/src/index.ts',
      worker: 'packages/storage-sqlite/src/worker.ts',
      'checkpoint-worker': 'packages/storage-sqlite/src/engine/checkpoint-worker.ts',
      'judging-worker':
        'packages/core-server/src/custom-resources/definition/judging/judging-worker.ts',
      'openapi-worker': 'packages/aggregator/src/openapi/openapi-worker.ts',
    },
  },
];

/** Bundles every program of a checkout; a bundle is there only when it is whole. */
export async function bundlePrograms(root: string): Promise<void> {
  for (const program of programs) await bundleProgram(root, program);
}

async function bundleProgram(root: string, program: BundledProgram): Promise<void> {
  const bundle = join(root, program.folder, 'bundle');
  const made = `${bundle}.new`;
  rmSync(made, { recursive: true, force: true });
  const settings = { ...SETTINGS, absWorkingDir: root, outdir: made };
  const parts = [
    // What is imported on demand stays apart.
    await build({ ...settings, entryPoints: { main: program.main }, splitting: true }),
    // Each has only what it needs: shared parts would bring the other programs' along.
    await build({ ...settings, entryPoints: { ...program.apart } }),
  ];
  for (const { metafile } of parts) refuseLazyCommonJs(metafile);
  const inputs = parts.flatMap(({ metafile }) => Object.keys(metafile.inputs));
  writeFileSync(join(made, 'LICENSES.txt'), licencesOf(root, inputs));
  rmSync(bundle, { recursive: true, force: true });
  renameSync(made, bundle);
}

/** The bundler gives such a module only a default export: names that the sources have would be missing. */
function refuseLazyCommonJs({ inputs }: Metafile): void {
  for (const [importer, { imports }] of Object.entries(inputs)) {
    for (const { path, kind, external } of imports) {
      if (kind !== 'dynamic-import' || external || inputs[path]?.format !== 'cjs') continue;
      throw new Error(`${importer} imports ${path} on demand: put a module of ours between them`);
    }
  }
}

/** CommonJS inside of a module asks for what Node brings by a function that modules do not have. */
const REQUIRE = `import { createRequire as createBundleRequire } from 'node:module';
const require = createBundleRequire(import.meta.url);`;

/** Loaded at once when it is needed, in the middle of a judgement: no `import()` can, so a bundler does not see it. */
const lazyCel: Plugin = {
  name: 'lazy-cel',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[/\\]server[/\\]src[/\\]schema[/\\]cel\.ts$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8');
      const contents = source.replace("('@tributary/cel')", `('./${CEL}.js')`);
      if (contents === source) throw new Error(`${path} loads CEL in another way than expected`);
      return { contents, loader: 'ts' };
    });
  },
};

/**
 * An import of `node:http` reads every one of its properties, and some of them load all of Node's fetch: 60 ms and
 * several megabytes. A require does not.
 */
const lazyBuiltins: Plugin = {
  name: 'lazy-builtins',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^(node:)?https?$/ }, ({ path, kind }) =>
      kind === 'require-call' ? undefined : { path, namespace: 'lazy-builtin' },
    );
    onLoad({ filter: /.*/, namespace: 'lazy-builtin' }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)});`,
      loader: 'js',
    }));
  },
};

/** Compiles WebAssembly when it is loaded; protobufjs does without, for whoever has no integers beyond 2^53. */
const withoutLong: Plugin = {
  name: 'without-long',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^long$/ }, ({ path }) => ({ path, namespace: 'absent' }));
    onLoad({ filter: /.*/, namespace: 'absent' }, ({ path }) => ({
      contents: `throw new Error(${JSON.stringify(`${path} is left out`)});`,
      loader: 'js',
    }));
  },
};

const SETTINGS = {
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  conditions: [SOURCE_CONDITION],
  banner: { js: REQUIRE },
  plugins: [lazyBuiltins, lazyCel, withoutLong],
  // Names stay: they are in stacks and logs.
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none', // licences are in one file
  metafile: true,
  logLevel: 'warning',
} as const satisfies BuildOptions;

const PACKAGE = /node_modules\/((?:@[^/]+\/)?[^/]+)\//;

/** The licences of everything in the bundle that is not ours: their authors ask to be named with each copy. */
function licencesOf(root: string, inputs: readonly string[]): string {
  const names = new Set(inputs.flatMap((input) => PACKAGE.exec(input)?.[1] ?? []));
  const texts = [...names].sort().map((name) => {
    const folder = join(root, 'node_modules', name);
    const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e(\.|$)/i.test(entry));
    const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8').trim();
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
  return texts.join(`\n${'-'.repeat(80)}\n\n`);
}

if (import.meta.main) await bundlePrograms(join(import.meta.dirname, '..'));
