/** Kubernetes' semantic versions, its library's first version. */

import type { FunctionDeclaration, Library, Overload } from '../declarations/library.ts';
import { CelError, celError, NO_SUCH_OVERLOAD } from '../values/errors.ts';
import { BOOL, INT, objectType, STRING, type Type } from '../values/types.ts';
import type { OpaqueValue, Result, Value } from '../values/value.ts';
import { declare, global, member } from './declare.ts';
import {
  compareVersions,
  normalizedVersion,
  parseVersion,
  type SemanticVersion,
  VersionError,
} from './semantic-version.ts';

export const SEMVER_TYPE: Type = objectType('kubernetes.Semver');

export interface SemverValue extends OpaqueValue {
  readonly version: SemanticVersion;
}

const S = SEMVER_TYPE;

export const SEMVER: Library = {
  name: 'kubernetes.Semver',
  functions: [
    declare(
      'semver',
      global('string_to_semver', [STRING], S, ([text]) => toSemver(text as string, false)),
      global('string_bool_to_semver', [STRING, BOOL], S, ([text, normalize]) =>
        toSemver(text as string, normalize as boolean),
      ),
    ),
    declare(
      'isSemver',
      global('is_semver_string', [STRING], BOOL, ([text]) => isVersion(text as string, false)),
      global('is_semver_string_bool', [STRING, BOOL], BOOL, ([text, normalize]) =>
        isVersion(text as string, normalize as boolean),
      ),
    ),
    declare(
      'isGreaterThan',
      compared('semver_is_greater_than', BOOL, (order) => order > 0),
    ),
    declare(
      'isLessThan',
      compared('semver_is_less_than', BOOL, (order) => order < 0),
    ),
    declare(
      'compareTo',
      compared('semver_compare_to', INT, (order) => BigInt(order)),
    ),
    part('major'),
    part('minor'),
    part('patch'),
  ],
};

export function isSemver(value: Result | undefined): value is SemverValue {
  return typeof value === 'object' && value !== null && 'version' in value;
}

function toSemver(text: string, normalize: boolean): SemverValue | CelError {
  try {
    return semverValue(parseVersion(normalize ? normalizedVersion(text) : text));
  } catch (error) {
    if (error instanceof VersionError) return celError(error.message);
    throw error;
  }
}

function isVersion(text: string, normalize: boolean): boolean {
  return !(toSemver(text, normalize) instanceof CelError);
}

function semverValue(version: SemanticVersion): SemverValue {
  return {
    kind: 'opaque',
    type: SEMVER_TYPE,
    version,
    equalityCost: 1,
    equals: (other) =>
      isSemver(other) ? compareVersions(version, other.version) === 0 : NO_SUCH_OVERLOAD,
  };
}

function of(value: Value | undefined): SemanticVersion {
  return (value as SemverValue).version;
}

function compared(
  id: string,
  result: Type,
  response: (order: number) => boolean | bigint,
): Overload {
  return member(id, [S, S], result, ([one, other]) =>
    response(compareVersions(of(one), of(other))),
  );
}

/** Numbers beyond int64 wrap around, as upstream's conversion does. */
function part(name: 'major' | 'minor' | 'patch'): FunctionDeclaration {
  return declare(
    name,
    member(`semver_${name}`, [S], INT, ([value]) => BigInt.asIntN(64, of(value)[name])),
  );
}
