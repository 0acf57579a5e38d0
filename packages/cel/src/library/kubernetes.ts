/** Kubernetes' own libraries, each with the release that introduced it. */

import type { Library } from '../declarations/library.ts';
import { AUTHORIZER, AUTHORIZER_SELECTORS } from './authorizer.ts';
import { CIDR } from './cidr.ts';
import { FORMAT } from './format.ts';
import { IP } from './ip.ts';
import { JSON_PATCH } from './json-patch.ts';
import { LIST_EXTENSIONS } from './list-extensions.ts';
import { KUBERNETES_LISTS } from './lists.ts';
import { QUANTITY } from './quantity.ts';
import { REGEX } from './regex.ts';
import { SEMVER } from './semver.ts';
import { SETS } from './sets.ts';
import { TWO_VARIABLE_COMPREHENSIONS } from './standard-comprehensions.ts';
import { OPTIONAL_LIBRARY } from './standard-optional.ts';
import { STRINGS } from './strings.ts';
import { URLS } from './url.ts';

export interface VersionedLibrary {
  readonly library: Library;
  /** The minor release of Kubernetes 1 in which expressions could first use it. */
  readonly since: number;
}

/**
 * The libraries of rules in custom resource definitions and of admission policies, which are the same; in rules there
 * is only no variable to use an authorizer with. Of the strings extension it is the version since 1.29.
 */
export const KUBERNETES_LIBRARIES: readonly VersionedLibrary[] = [
  { library: URLS, since: 0 },
  { library: REGEX, since: 0 },
  { library: KUBERNETES_LISTS, since: 0 },
  { library: AUTHORIZER, since: 27 },
  { library: OPTIONAL_LIBRARY, since: 28 },
  { library: QUANTITY, since: 28 },
  { library: STRINGS, since: 29 },
  { library: SETS, since: 29 },
  { library: IP, since: 30 },
  { library: CIDR, since: 30 },
  { library: FORMAT, since: 31 },
  { library: AUTHORIZER_SELECTORS, since: 31 },
  { library: TWO_VARIABLE_COMPREHENSIONS, since: 32 },
  { library: SEMVER, since: 33 },
  { library: LIST_EXTENSIONS, since: 34 },
];

/** For rules (`x-kubernetes-validations`), validating policies and match conditions. */
export function kubernetesLibraries(minor = 36): readonly Library[] {
  return KUBERNETES_LIBRARIES.filter(({ since }) => since <= minor).map(({ library }) => library);
}

/** For mutating policies, which write patches. */
export function mutationLibraries(minor = 36): readonly Library[] {
  return [...kubernetesLibraries(minor), JSON_PATCH];
}
