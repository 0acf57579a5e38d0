import type { FlowSchema, FlowSchemaSpec } from '@tributary/api/flowcontrol-v1';
import {
  type FieldError,
  type FieldPath,
  fieldError,
  goText,
  root,
  validateDnsSubdomainName,
} from '@tributary/apimachinery';
import { mandatoryObjects } from '../../../flow-control/bootstrap-objects.ts';
import { isSemanticallyEqual } from '../../../rbac/semantic-equality.ts';
import { metadataErrors } from '../../shared/object-metadata.ts';
import { internalFlowSchemaSpec } from '../shared/internal-form.ts';
import { validateConditions } from '../shared/validate-conditions.ts';
import { validateRules } from './validate-rules.ts';

const PRECEDENCE_MAX = 10_000;
const METHODS = ['ByNamespace', 'ByUser'];
const METADATA_RULES = { namespaced: false, validateName: validateDnsSubdomainName };
const SPEC = root('spec');

export function validateFlowSchema(schema: FlowSchema): FieldError[] {
  const { name = '' } = schema.metadata;
  return [
    ...metadataErrors(schema, METADATA_RULES),
    ...validateSpec(name, schema.spec, SPEC),
    ...validateFixed(name, schema.spec),
    ...validateConditions(schema.status),
  ];
}

function validateSpec(name: string, spec: FlowSchemaSpec, path: FieldPath): FieldError[] {
  const { distinguisherMethod: method, rules = [] } = spec;
  return [
    ...validatePrecedence(name, spec.matchingPrecedence, path.child('matchingPrecedence')),
    ...(method === undefined || METHODS.includes(method.type)
      ? []
      : [
          fieldError.notSupported(
            path.child('distinguisherMethod').child('type'),
            goText(JSON.stringify({ Type: method.type })),
            METHODS,
          ),
        ]),
    ...validateReference(
      spec.priorityLevelConfiguration.name,
      path.child('priorityLevelConfiguration').child('name'),
    ),
    ...rules.flatMap((rule, at) => validateRules(rule, path.child('rules').index(at))),
  ];
}

function validatePrecedence(name: string, precedence: number, path: FieldPath): FieldError[] {
  const details: string[] = [];
  if (precedence <= 0) details.push('must be a positive value');
  if (precedence > PRECEDENCE_MAX) details.push(`must not be greater than ${PRECEDENCE_MAX}`);
  if (precedence === 1 && name !== 'exempt') {
    details.push("only the schema named 'exempt' may have matchingPrecedence 1");
  }
  return details.map((detail) => fieldError.invalid(path, precedence, detail));
}

function validateReference(name: string, path: FieldPath): FieldError[] {
  if (name === '') return [fieldError.required(path, 'must reference a priority level')];
  return validateDnsSubdomainName(name).map((detail) => fieldError.invalid(path, name, detail));
}

/** The catch-all and exempt schemas cannot change. */
function validateFixed(name: string, spec: FlowSchemaSpec): FieldError[] {
  const fixed = mandatoryObjects().schemas.find(({ metadata }) => metadata.name === name);
  if (fixed === undefined || isSemanticallyEqual(fixed.spec, spec)) return [];
  const value = goText(internalFlowSchemaSpec(spec));
  return [fieldError.invalid(SPEC, value, `spec of '${name}' must equal the fixed value`)];
}
