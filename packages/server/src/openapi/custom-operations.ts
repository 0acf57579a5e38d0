/** Operations of custom resources, whose descriptions upstream generates differently from those of built-in kinds. */
import { objectMediaTypes } from '../request/negotiation.ts';
import { customPatchTypes } from '../verbs/patch-documents.ts';
import type { Operation } from './operation.ts';
import { deleteParameters, listParameters, type Parameter } from './parameters.ts';

const deleteNames = new Set(deleteParameters.map(({ name }) => name));
const listNames = new Set(listParameters.map(({ name }) => name));
const version = listParameters.filter(({ name }) => name === 'resourceVersion');

/** Upstream's description of a request to a custom resource; undefined for one that it omits. */
export function customOperation(
  operation: Operation,
  kind: NonNullable<Operation['kind']>,
): Operation | undefined {
  const { action, parameters } = operation;
  const described: Operation = {
    ...operation,
    kind,
    consumes: objectMediaTypes,
    produces: objectMediaTypes,
  };
  switch (action) {
    case 'watch':
    case 'watchlist':
      return undefined;
    case 'get':
      return { ...described, parameters: [...version, ...parameters] };
    case 'deletecollection': {
      const { body: _, ...bodiless } = described;
      return { ...bodiless, parameters: [...listParameters, ...ofThePlace(parameters)] };
    }
    case 'patch': {
      const responses = operation.responses.filter(({ code }) => code === 200);
      return { ...described, consumes: customPatchTypes, responses };
    }
    default:
      return described;
  }
}

function ofThePlace(parameters: readonly Parameter[]): readonly Parameter[] {
  return parameters.filter(({ name }) => !deleteNames.has(name) && !listNames.has(name));
}
