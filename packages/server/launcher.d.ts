export interface Program {
  /** The launcher's `import.meta.url`. */
  bin: string;
  /** Entry of the build, relative to the package's root. */
  built: string;
  /** Entry of the build as few files, relative to the package's root; preferred where it exists. */
  bundle?: string;
  /** Entry of the sources, relative to the package's root. */
  source: string;
  /** Flags and environment of its Node, relative to the package's root: see `readSettings`. */
  settings?: string;
}
export interface NodeSettings {
  readonly flags: readonly string[];
  /** Defaults: variables that are set win. */
  readonly env: Readonly<Record<string, string>>;
}
export function readSettings(file: string): NodeSettings;
/** The condition of package exports under which Node finds TypeScript sources. */
export const SOURCE_CONDITION: string;
export function launch(program: Program): Promise<void>;
export function sourceFlags(): string[];
export function requireNode(from: string): string;
export function findNode(from: string): string | undefined;
export function replaceProcess(
  file: string,
  args: readonly string[],
  env?: Readonly<Record<string, string>>,
): void;
