/**
 * Bundles programs into few files: a start that reads hundreds of modules spends most of its time on reading them.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import { SOURCE_CONDITION } from '../packages/server/launcher.js';

interface BundledProgram {
  /** The package whose launcher starts it; the files go into its `bundle/`. */
  readonly folder: string;
  readonly main: string;
  /** A script with its compiled code: see `kept-code.ts`. */
  readonly script: BundledFile & {
    /** The module that imports it from sources, and the replacement that loads the script. */
    readonly loader: string;
    readonly cachedLoader: string;
  };
  /** Modules that the main file imports on demand. */
  readonly rest: BundledFile;
  /** Other files, by name: entries of threads, and modules that are loaded at first use. */
  readonly apart: Readonly<Record<string, string>>;
}

interface BundledFile {
  readonly name: string;
  readonly main: string;
}

/** The name of the file that contains CEL. */
const CEL = 'cel';

const programs: readonly BundledProgram[] = [
  {
    folder: 'packages/cli',
    main: 'packages/cli/src/main.ts',
    rest: { name: 'program', main: 'packages/cli/src/commands/program.ts' },
    script: {
      name: 'up',
      main: 'packages/cli/src/up/run-up.ts',
      loader: 'packages/cli/src/up/load-up.ts',
      cachedLoader: 'packages/cli/src/up/load-bundled-up.ts',
    },
    apart: {
      [CEL]: 'packages/cel/src/index.ts',
      worker: 'packages/storage-sqlite/src/thread/worker.ts',
      'checkpoint-worker': 'packages/storage-sqlite/src/maintenance/checkpoint-worker.ts',
      'validation-worker':
        'packages/core-server/src/custom-resources/definition/validation-thread/validation-worker.ts',
      'openapi-worker': 'packages/aggregator/src/openapi/openapi-worker.ts',
    },
  },
];

/** Bundles every program of a checkout. A failed run leaves no incomplete bundle. */
export async function bundlePrograms(root: string): Promise<void> {
  for (const program of programs) await bundleProgram(root, program);
}

async function bundleProgram(root: string, program: BundledProgram): Promise<void> {
  const bundle = join(root, program.folder, 'bundle');
  const made = `${bundle}.new`;
  rmSync(made, { recursive: true, force: true });
  const settings = { absWorkingDir: root, outdir: made };
  const { script, rest } = program;
  const scriptPart = await build({
    ...settings,
    ...SCRIPT,
    entryPoints: { [script.name]: script.main },
  });
  const loaded = loadsCachedScript(root, script, hashOf(join(made, `${script.name}.js`)));
  const restPart = await build({
    ...settings,
    ...MODULES,
    plugins: [...MODULES.plugins, loaded],
    entryPoints: { [rest.name]: rest.main },
  });
  refuseLazyCommonJs(restPart.metafile);
  const otherParts = [
    await build({
      ...settings,
      ...COMMON_JS,
      plugins: [...COMMON_JS.plugins, loaded, apart(root, rest)],
      entryPoints: { main: program.main },
    }),
    // Shared chunks would load parts of the other programs.
    await build({ ...settings, ...COMMON_JS, entryPoints: { ...program.apart } }),
  ];
  const parts = [scriptPart, restPart, ...otherParts];
  const inputs = parts.flatMap(({ metafile }) => Object.keys(metafile.inputs));
  writeFileSync(join(made, 'LICENSES.txt'), licencesOf(root, inputs));
  writeFileSync(join(made, 'package.json'), '{ "type": "commonjs" }\n');
  rmSync(bundle, { recursive: true, force: true });
  renameSync(made, bundle);
}

/** esbuild gives such a module only a default export, so named imports would be undefined. */
function refuseLazyCommonJs({ inputs }: Metafile): void {
  for (const [importer, { imports }] of Object.entries(inputs)) {
    for (const { path, kind, external } of imports) {
      if (kind !== 'dynamic-import' || external || inputs[path]?.format !== 'cjs') continue;
      throw new Error(`${importer} imports ${path} on demand: put a module of ours between them`);
    }
  }
}

/**
 * CEL is loaded synchronously in the middle of a validation, where `import()` is impossible, so esbuild does not
 * see the import.
 */
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
 * An import of `node:http` reads all of its properties, and some of them load Node's fetch: 60 ms and several
 * megabytes. A `require` does not.
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

/** `long` compiles WebAssembly when it is loaded; protobufjs works without it when no integer exceeds 2^53. */
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
  platform: 'node',
  target: 'node24',
  conditions: [SOURCE_CONDITION],
  // Names appear in stacks and logs.
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none', // in LICENSES.txt
  metafile: true,
  logLevel: 'warning',
} as const satisfies BuildOptions;

/**
 * The main file is CommonJS: Node initialises its module loader only at the first import, and a `require` is lazy.
 */
const COMMON_JS = {
  ...SETTINGS,
  format: 'cjs',
  plugins: [lazyCel, withoutLong],
  define: { 'import.meta.url': 'fileUrl', 'import.meta.dirname': '__dirname' },
  banner: {
    js: `'use strict';
const fileUrl = require('node:url').pathToFileURL(__filename).href;`,
  },
} as const satisfies BuildOptions;

/**
 * One function expression, as `kept-code.ts` runs it; it contains modules imported on demand, which run on demand.
 */
const SCRIPT = {
  ...COMMON_JS,
  banner: {
    js: `(function (exports, require, module, __filename, __dirname) {\n${COMMON_JS.banner.js}`,
  },
  footer: { js: '})' },
} as const satisfies BuildOptions;

/** CommonJS in an ES module calls `require` for built-in modules. */
const REQUIRE = `import { createRequire as createBundleRequire } from 'node:module';
const require = createBundleRequire(import.meta.url);`;

const MODULES = {
  ...SETTINGS,
  format: 'esm',
  splitting: true, // modules imported on demand stay separate files
  outExtension: { '.js': '.mjs' },
  plugins: [lazyBuiltins, lazyCel, withoutLong],
  banner: { js: REQUIRE },
} as const satisfies BuildOptions;

/** Replaces the loader of modules by the loader of the script. */
function loadsCachedScript(
  root: string,
  { name, loader, cachedLoader }: BundledProgram['script'],
  hash: string,
): Plugin {
  return {
    name: 'loads-kept',
    setup: ({ initialOptions, onLoad }) => {
      initialOptions.define = {
        ...initialOptions.define,
        SCRIPT_FILE: JSON.stringify(`./${name}.js`),
        SCRIPT_HASH: JSON.stringify(hash),
      };
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        if (path !== join(root, loader)) return undefined;
        return { contents: readFileSync(join(root, cachedLoader), 'utf8'), loader: 'ts' };
      });
    },
  };
}

/** Resolves a module to the file that it is bundled into. */
function apart(root: string, { name, main }: BundledFile): Plugin {
  return {
    name: 'apart',
    setup: ({ onResolve }) => {
      onResolve({ filter: /^\./ }, ({ path, resolveDir }) => {
        if (join(resolveDir, path) !== join(root, main)) return undefined;
        return { path: `./${name}.mjs`, external: true };
      });
    },
  };
}

/** The script is read as Latin-1, so it must be ASCII. */
function hashOf(path: string): string {
  const bytes = readFileSync(path);
  if (bytes.some((byte) => byte > 0x7f)) throw new Error(`${path} is not in ASCII`);
  return createHash('sha256').update(bytes).digest('hex').slice(0, 16);
}

const PACKAGE = /node_modules\/((?:@[^/]+\/)?[^/]+)\//;

/** Licences of the bundled packages, which require a copy with every distribution. */
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
