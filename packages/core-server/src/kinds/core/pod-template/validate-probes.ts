import type { Container, HTTPGetAction, LifecycleHandler, Probe } from '@tributary/api/core-v1';
import { type FieldError, type FieldPath, fieldError, regexError } from '@tributary/apimachinery';
import { validatePortName, validatePortNumber } from '../../shared/validate-names.ts';

const SCHEMES = ['HTTP', 'HTTPS'];
const NEGATIVE = 'must be greater than or equal to 0';

export function validateProbes(container: Container, path: FieldPath): FieldError[] {
  const { livenessProbe, readinessProbe, startupProbe } = container;
  return [
    ...validateSuccessThreshold(livenessProbe, path.child('livenessProbe')),
    ...validateNoGracePeriod(readinessProbe, path.child('readinessProbe')),
    ...validateSuccessThreshold(startupProbe, path.child('startupProbe')),
  ];
}

export function validateLifecycle({ lifecycle }: Container, path: FieldPath): FieldError[] {
  const at = path.child('lifecycle');
  return (['postStart', 'preStop'] as const).flatMap((name) => {
    const handler = lifecycle?.[name];
    return handler ? validateHandler(handler, at.child(name)) : [];
  });
}

/** Liveness and startup probes have a success threshold of 1. */
function validateSuccessThreshold(probe: Probe | undefined, path: FieldPath): FieldError[] {
  if (probe === undefined) return [];
  const errors = validateProbe(probe, path);
  if (probe.successThreshold !== 1) {
    const fieldPath = path.child('successThreshold');
    errors.push(fieldError.invalid(fieldPath, probe.successThreshold ?? 0, 'must be 1'));
  }
  return errors;
}

/** A readiness probe never kills the container, so it has no grace period. */
function validateNoGracePeriod(probe: Probe | undefined, path: FieldPath): FieldError[] {
  if (probe === undefined) return [];
  const { terminationGracePeriodSeconds: grace } = probe;
  const fieldPath = path.child('terminationGracePeriodSeconds');
  return [
    ...validateProbe(probe, path),
    ...(grace === undefined
      ? []
      : [fieldError.invalid(fieldPath, grace, 'must not be set for readinessProbes')]),
  ];
}

function validateProbe(probe: Probe, path: FieldPath): FieldError[] {
  const numbers = [
    'initialDelaySeconds',
    'timeoutSeconds',
    'periodSeconds',
    'successThreshold',
    'failureThreshold',
  ] as const;
  const { terminationGracePeriodSeconds: grace } = probe;
  return [
    ...validateHandler(probe, path),
    ...numbers.flatMap((name) => notNegative(path.child(name), probe[name])),
    ...(grace !== undefined && grace <= 0
      ? [
          fieldError.invalid(
            path.child('terminationGracePeriodSeconds'),
            grace,
            'must be greater than 0',
          ),
        ]
      : []),
  ];
}

export function notNegative(path: FieldPath, value: number | bigint = 0): FieldError[] {
  return value < 0 ? [fieldError.invalid(path, value, NEGATIVE)] : [];
}

const MORE_THAN_ONE = 'may not specify more than 1 handler type';

/** Exactly one handler is allowed; further ones are not validated. */
function validateHandler(handler: Probe & LifecycleHandler, path: FieldPath): FieldError[] {
  const { exec, httpGet, tcpSocket, grpc, sleep } = handler;
  const ways: readonly (readonly [string, (() => FieldError[]) | undefined])[] = [
    ['exec', exec && (() => commandErrors(path.child('exec'), exec.command))],
    ['httpGet', httpGet && (() => validateHttpGet(httpGet, path.child('httpGet')))],
    ['tcpSocket', tcpSocket && (() => validatePort(path.child('tcpSocket'), tcpSocket.port))],
    ['grpc', grpc && (() => validatePort(path.child('grpc'), grpc.port))],
    ['sleep', sleep && (() => [])],
  ];
  const chosen = ways.filter(([, validate]) => validate !== undefined);
  const [first, ...others] = chosen;
  if (first === undefined) return [fieldError.required(path, 'must specify a handler type')];
  return [
    ...(first[1]?.() ?? []),
    ...others.map(([name]) => fieldError.forbidden(path.child(name), MORE_THAN_ONE)),
  ];
}

function commandErrors(path: FieldPath, command: readonly string[] = []): FieldError[] {
  return command.length === 0 ? [fieldError.required(path.child('command'))] : [];
}

const HEADER_NAME = '[-A-Za-z0-9]+';

function validateHttpGet(action: HTTPGetAction, path: FieldPath): FieldError[] {
  const errors = action.path ? [] : [fieldError.required(path.child('path'))];
  errors.push(...validatePort(path, action.port));
  if (!SCHEMES.includes(action.scheme ?? '')) {
    errors.push(fieldError.notSupported(path.child('scheme'), action.scheme ?? '', SCHEMES));
  }
  for (const { name } of action.httpHeaders ?? []) {
    if (new RegExp(`^${HEADER_NAME}$`).test(name)) continue;
    const detail = regexError(
      "a valid HTTP header must consist of alphanumeric characters or '-'",
      HEADER_NAME,
      ['X-Header-Name'],
    );
    errors.push(fieldError.invalid(path.child('httpHeaders'), name, detail));
  }
  return errors;
}

function validatePort(path: FieldPath, port: number | string): FieldError[] {
  const at = path.child('port');
  return typeof port === 'number' ? validatePortNumber(at, port) : validatePortName(at, port);
}
