import { isDeepStrictEqual } from 'node:util';
import {
  declarative,
  type FieldError,
  fieldError,
  fieldImmutable,
  type ObjectMeta,
  root,
  validateDnsLabelName,
  validateDnsSubdomainName,
  validatePathSegmentName,
} from '@tributary/apimachinery';
import type { Scope, VersionHooks } from '@tributary/server';
import { type MetadataRules, metadataErrors, metadataUpdateErrors } from './object-metadata.ts';

const NAME_VALIDATORS = {
  'dns-label': validateDnsLabelName,
  'dns-subdomain': validateDnsSubdomainName,
  'path-segment': validatePathSegmentName,
};

const NAME = String(root('metadata').child('name'));

interface WithStatus {
  readonly metadata: ObjectMeta;
  readonly status?: unknown;
}

/** How upstream validates a kind. `scope` and `names` are those of its `defineResource`. */
export interface KindValidation<Object> {
  /** Default: Namespaced. */
  readonly scope?: Scope;
  /** Default: a DNS subdomain. */
  readonly names?: keyof typeof NAME_VALIDATORS;
  /** See `MetadataRules`. */
  readonly anyFinalizer?: true;
  /** Errors of the name are of upstream's declarative validation. */
  readonly declarativeName?: true;
  /**
   * How often an update reports errors of the metadata, beside those that every kind reports. Upstream calls the validation
   * of a new object for updates of some kinds too. Default: once.
   */
  readonly metadataOnUpdate?: 'twice' | 'never';
  /** The kind has a status subresource: an update changes either the status or the rest, and only that is validated. */
  readonly hasStatus?: true;
  /** Validates all but the metadata, on create and update. */
  readonly validate?: (object: Object) => FieldError[];
  /** Validates what only a new object must satisfy. */
  readonly validateCreate?: (object: Object) => FieldError[];
  /** Validates a change, beside `validate` of the new object. */
  readonly validateUpdate?: (next: Object, live: Object) => FieldError[];
  readonly validateStatusUpdate?: (next: Object, live: Object) => FieldError[];
  /** Top-level fields that cannot change; the error shows the new value. */
  readonly immutable?: readonly (keyof Object & string)[];
  /** Fields that upstream's declarative validation makes immutable; the error shows no value. */
  readonly declarativeImmutable?: readonly (keyof Object & string)[];
  /** Errors of changes are before those of `validate`. Default: after them. */
  readonly updateErrorsFirst?: true;
}

/** The hooks `validate` and `validateUpdate` of a version, which report all errors at once in upstream's order. */
export function validationHooks<Object extends WithStatus>(
  kind: KindValidation<Object>,
): Pick<VersionHooks<Object>, 'validate' | 'validateUpdate'> {
  const { scope = 'Namespaced', names = 'dns-subdomain', anyFinalizer } = kind;
  const rules: MetadataRules = {
    namespaced: scope === 'Namespaced',
    validateName: NAME_VALIDATORS[names],
    ...(anyFinalizer && { anyFinalizer }),
  };
  return {
    validate: (object) => [
      ...metadataErrors(object, rules).map((error) =>
        kind.declarativeName && error.field === NAME ? declarative(error) : error,
      ),
      ...(kind.validate?.(object) ?? []),
      ...(kind.validateCreate?.(object) ?? []),
    ],
    validateUpdate: (next, live) => updateErrors({ ...kind, rules }, next, live),
  };
}

function updateErrors<Object extends WithStatus>(
  kind: KindValidation<Object> & { readonly rules: MetadataRules },
  next: Object,
  live: Object,
): FieldError[] {
  const { metadataOnUpdate, rules } = kind;
  const errors = metadataOnUpdate === 'never' ? [] : metadataUpdateErrors(next, live, rules);
  if (kind.hasStatus && !isDeepStrictEqual(next.status, live.status)) {
    return [...errors, ...(kind.validateStatusUpdate?.(next, live) ?? [])];
  }
  const changes = [
    ...immutableErrors(kind, next, live),
    ...(kind.validateUpdate?.(next, live) ?? []),
  ];
  const found = [
    ...(metadataOnUpdate === 'twice' ? metadataErrors(next, rules) : []),
    ...(kind.validate?.(next) ?? []),
  ];
  return [...errors, ...(kind.updateErrorsFirst ? [...changes, ...found] : [...found, ...changes])];
}

function immutableErrors<Object>(
  { immutable = [], declarativeImmutable = [] }: KindValidation<Object>,
  next: Object,
  live: Object,
): FieldError[] {
  const isChanged = (name: keyof Object) => !isDeepStrictEqual(next[name], live[name]);
  return [
    ...immutable
      .filter(isChanged)
      .map((name) => fieldError.invalid(root(name), next[name] ?? null, fieldImmutable)),
    ...declarativeImmutable
      .filter(isChanged)
      .map((name) => declarative(fieldError.invalid(root(name), null, fieldImmutable))),
  ];
}
