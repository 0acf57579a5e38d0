import { reachedFrom } from './references.ts';
import type { Named, Specification } from './specification.ts';

/**
 * Keeps some of the paths. Definitions used only by removed paths are removed; definitions that no path uses stay, as
 * upstream, with all their references.
 */
export function filterPaths(
  specification: Specification,
  keeps: (path: string) => boolean,
): Specification {
  const paths = new Map([...specification.paths].filter(([path]) => keeps(path)));
  if (paths.size === specification.paths.size) return specification;
  const before = reachedFrom(specification.paths.values(), specification);
  const unled = specification.definitions.keys().filter((name) => !before.definitions.has(name));
  const unreached = [...unled].map((name) => specification.definitions.get(name));
  const now = reachedFrom([...paths.values(), ...unreached], specification);
  const definitions = selected(
    specification.definitions,
    (name) => now.definitions.has(name) || !before.definitions.has(name),
  );
  // Upstream keeps all parameters; those of removed paths would have dangling references.
  const parameters = selected(specification.parameters, (name) => now.parameters.has(name));
  const responses = selected(specification.responses, (name) => now.responses.has(name));
  return { ...specification, paths, definitions, parameters, responses };
}

/** The path prefix of a group version. */
export function groupVersionPrefix({ group, version }: GroupVersionOf): string {
  return group === '' ? `/api/${version}/` : `/apis/${group}/${version}/`;
}

interface GroupVersionOf {
  readonly group: string;
  readonly version: string;
}

function selected(named: Named, keeps: (name: string) => boolean): Named {
  return new Map([...named].filter(([name]) => keeps(name)));
}
