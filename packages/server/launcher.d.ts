export interface Program {
  /** The launcher's `import.meta.url`. */
  bin: string;
  /** Entry of the build, relative to the package's root. */
  built: string;
  /** Entry of the build as few files, relative to the package's root; preferred where it exists. */
  bundle?: string;
  /** Entry of the sources, relative to the package's root. */
  source: string;
  /** What Node runs it with. */
  flags?: readonly string[];
  /** What it finds in its environment besides, unless the user has set it. */
  env?: Readonly<Record<string, string>>;
}
/** What Node runs servers with. */
export const SERVER_FLAGS: readonly string[];
export const SERVER_ENV: Readonly<Record<string, string>>;
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
