/** Connect operations: exec, log, proxy. */
import type { ConnectMethod, ConnectSubresource } from '../definition/subresource.ts';
import { capitalised, groupVersionTag, groupVersionWords } from './definition-name.ts';
import type { Method, Operation } from './operation.ts';
import { pathParameter } from './parameters.ts';
import type { Target } from './targets.ts';

const methodNames: Readonly<Record<ConnectMethod, Method>> = {
  GET: 'get',
  POST: 'post',
  PUT: 'put',
  PATCH: 'patch',
  DELETE: 'delete',
};

const ANY_TYPE = ['*/*'];

/** Paths below the connection's own have one parameter, and operations of their own. */
export function connectOperations(target: Target, connection: ConnectSubresource): Operation[] {
  const { path, pathParameters, idSuffix } = target;
  const below: Target = {
    ...target,
    path: `${path}/{path}`,
    pathParameters: [...pathParameters, pathParameter],
    idSuffix: `${idSuffix}WithPath`,
  };
  return [target, ...(connection.subpath ? [below] : [])].flatMap((one) =>
    connection.methods.map((method) => connectOperation(one, method)),
  );
}

function connectOperation(target: Target, method: ConnectMethod): Operation {
  const { parent, kind, path, pathParameters, subject, idScope, idSuffix } = target;
  const name = methodNames[method];
  return {
    path,
    method: name,
    id: `connect${capitalised(name)}${groupVersionWords(parent)}${idScope}${parent.kind}${idSuffix}`,
    tag: groupVersionTag(parent),
    description: `Connect to the ${subject} with ${method}.`,
    action: 'connect',
    kind,
    parameters: pathParameters,
    consumes: ANY_TYPE,
    produces: ANY_TYPE,
    responses: [{ code: 200, schema: { type: 'string' } }],
  };
}
